package bot

/**
 * A second example: one rule of thumb for the tricks. Take them, as cheaply as you can; in a round
 * in which tricks cost points, shun them. The rest goes by lot.
 */
fun high(request: Request): String {
    val legal = request.legal
    val view = request.view
    if (view !is TrickView || view.phase != "play") return legal.random()
    val trick = view.tricks.last()
    val isShy = view.points!! < 0

    // Where we lead, a card is of the suit that is led.
    fun strength(card: String) = strength(card, led = trick.firstOrNull() ?: card, view)
    if (trick.isEmpty()) return if (isShy) legal.minBy(::strength) else legal.maxBy(::strength)

    val toBeat = trick.maxOf(::strength)
    // Of two cards that are equally strong the later takes the trick.
    val (taking, losing) = legal.partition { strength(it) >= toBeat }
    if (isShy) return losing.ifEmpty { legal }.maxBy(::strength)
    if (taking.isNotEmpty() && !isWithMe(taker(view)!!, view)) return taking.minBy(::strength)
    return legal.minBy(::strength)
}
