package bot

// What the cards are worth: SPEC 11.4 and 11.5 for the trick games, 12.1 for NOPE!.

// The trick games. Ask once the board is settled: from the phase `team` on.

/** The number on a card: 13 of `R13`. */
fun rank(card: String): Int = card.drop(1).toInt()

/** Whether a card is above the trumps: one of the low rank, in the colour of row 4. */
fun isSupertrump(card: String, view: TrickView): Boolean {
    val low = if (view.game == "njet") 0 else 1
    return rank(card) == low && printed(card) == view.supertrump
}

/** The suit of a card this round: its colour, but that of a supertrump in `nyet` is trump. */
fun suit(card: String, view: TrickView): String {
    val trump = view.trump
    val isTrump = view.game == "nyet" && isSupertrump(card, view)
    return if (isTrump && trump != null) trump else printed(card)
}

/**
 * How strong a card is in a trick that began with the card [led]: the higher takes it, of equals
 * the later. For a card that you would lead yourself, [led] is that card.
 */
fun strength(card: String, led: String, view: TrickView): Int =
    when {
        isSupertrump(card, view) -> 300
        suit(card, view) == view.trump -> 200 + rank(card)
        suit(card, view) == suit(led, view) -> 100 + rank(card)
        else -> rank(card)
    }

/** The seat that takes the open trick as it lies; null where no card was led yet. */
fun taker(view: TrickView): Int? {
    val trick = view.tricks.lastOrNull() ?: return null
    val strengths = trick.map { strength(it, led = trick.first(), view) }
    val best = strengths.maxOrNull() ?: return null
    return (view.leaders.last() + strengths.lastIndexOf(best)) % view.seats
}

/** The other seats of your team, ascending. */
fun teammates(view: TrickView): List<Int> =
    (0 until view.seats).filter { it != view.seat && isWithMe(it, view) }

/** Whether a seat is on your team, or is you. Ask once teams are there: from `discard` on. */
fun isWithMe(seat: Int, view: TrickView): Boolean {
    val team = checkNotNull(view.team) { "there are no teams yet in the phase ${view.phase}" }
    return (seat in team) == (view.seat in team)
}

private fun printed(card: String): String = card.take(1)

// NOPE!. In `legal`, an action card that may be laid alone has a `!` after it (SPEC 12.10): `X!` is
// the card X. Strip it before you ask: action.removeSuffix("!").

/** The letters of the colours that a card shows: `RG` of `RG2`. */
fun colours(card: String): String =
    when {
        card == "J" || card == "X" || card == "S*" -> "RGBY"
        card.first() in "TS" -> card.drop(1) // TR and SR show R
        else -> card.dropLast(1)
    }

/** Whether a card shows a colour, given by its letter. */
fun shows(card: String, colour: String): Boolean = colour in colours(card)

/** How many cards a card asks of the next seat, 1 to 3; null for action cards. */
fun number(card: String): Int? = if (card == "J") 1 else card.last().digitToIntOrNull()
