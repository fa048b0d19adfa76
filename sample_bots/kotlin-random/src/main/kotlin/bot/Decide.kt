package bot

/**
 * YOUR IDEA GOES HERE: return one of `request.legal`, which is never empty.
 *
 * `request.timeUs` is how long you have, in microseconds (SPEC 6.2). `request.view` is all that
 * your seat may know (SPEC 10.3); [View] has its fields, and Cards.kt tells what the cards are
 * worth. A view is read like this:
 * ```
 * val view = request.view
 * if (view is TrickView && view.phase == "play") {
 *     view.hand // your cards, such as "R7"; view.trump is a colour, such as "B"
 * }
 * ```
 */
fun decide(request: Request): String {
    return request.legal.random()
}
