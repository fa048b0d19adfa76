package bot

import java.nio.ByteBuffer
import org.msgpack.core.MessageUnpacker
import org.msgpack.value.Value

// Generated from the tables of fields in SPEC.md: do not edit.

/** All that your seat may know (SPEC 10.3); each kind of game has its class. */
sealed interface View {
    // Every view has these; its class says what they mean.
    val game: String
    val seats: Int
    val seat: Int
    val options: Map<String, Value>
    val phase: String
    val dealer: Int
    val turn: Int?
    val hand: List<String>
    val handSizes: List<Int>

    companion object {
        /** Null in a game that is not here. */
        fun read(packed: ByteBuffer): View? =
            when (unpacker(packed).textOf("game")) {
                "nyet",
                "njet",
                "njet-it" -> readTrickView(unpacker(packed))
                "nope" -> readNopeView(unpacker(packed))
                else -> null
            }
    }
}

/** The round finished last. */
data class PreviousRound(
    /** its number, from 1 */
    val round: Int,
    /** its dealer */
    val dealer: Int,
    /** row 1: its first player */
    val first: Int,
    /** row 2: the open box */
    val discard: String,
    /** row 3: a colour letter, or `-` for none */
    val trump: String,
    /** row 4: a colour letter, or `-` for none */
    val supertrump: String,
    /** row 5: what a trick and a piece of loot were worth */
    val points: Int,
    /** the first player's team, ascending */
    val team: List<Int>,
    /** the seat that held the bonus card; null with 2 or 4 seats */
    val bonus: Int?,
    /** by seat, the tricks taken */
    val tricksWon: List<Int>,
    /** by seat, the loot captured */
    val loot: List<Int>,
    /** by seat, the points of that round alone */
    val scored: List<Int>,
    /** the seat that led its last trick */
    val lastLeader: Int,
    /** the cards of its last trick, in order of play */
    val lastTrick: List<String>,
    /** the seat that took it */
    val lastWinner: Int,
)

/** A view of nyet, njet and njet-it. */
data class TrickView(
    /** the name of the rule set (11.1) */
    override val game: String,
    /** how many sit at the table */
    override val seats: Int,
    /** your seat, from 0 */
    override val seat: Int,
    /** every option of 11.7 with the value in force */
    override val options: Map<String, Value>,
    /** the round being played, from 1 */
    val round: Int,
    /** the match has at most so many rounds */
    val rounds: Int,
    /** `tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over` */
    override val phase: String,
    /** this round's dealer */
    override val dealer: Int,
    /** the seat that owes a decision; null in phase `discard`, where all do, and when over */
    override val turn: Int?,
    /** by seat, the points of all finished rounds */
    val scores: List<Int>,
    /**
     * your cards, in the order of 11.10, copies repeated, without those you have chosen to discard
     * or pass
     */
    override val hand: List<String>,
    /** by seat, the cards held; in phase `discard` still those dealt */
    override val handSizes: List<Int>,
    /** the boxes not covered, in the order of 11.10 */
    val open: List<String>,
    /** the boxes covered this round, first to last */
    val tokens: List<String>,
    /** the seat that placed, or will place, the first token; the others follow clockwise */
    val firstToken: Int,
    /** row 1: the first player; null until all rows are settled */
    val first: Int?,
    /** row 2: the open box, such as `1x`; null until settled */
    val discard: String?,
    /** row 3: a colour letter, or `-` for none; null until settled */
    val trump: String?,
    /** row 4: a colour letter, or `-` for none; null until settled */
    val supertrump: String?,
    /** row 5: what a trick and a piece of loot are worth; null until settled */
    val points: Int?,
    /** the first player's team, ascending; all others are the other team; null until chosen */
    val team: List<Int>?,
    /** the seat that holds the bonus card; null until chosen, and with 2 or 4 seats */
    val bonus: Int?,
    /** the cards you have discarded or passed this round, as chosen */
    val given: List<String>,
    /** the cards passed to you this round, once all have chosen */
    val received: List<String>,
    /**
     * every trick of the round, each its cards in order of play; no trick before phase `play`; in
     * phase `play` the last is the open one, and may be empty
     */
    val tricks: List<List<String>>,
    /** for each of `tricks`, the seat that led it */
    val leaders: List<Int>,
    /** by seat, the tricks taken this round */
    val tricksWon: List<Int>,
    /** by seat, the loot captured this round (11.6) */
    val loot: List<Int>,
    /** the round finished last; null in the first round */
    val previous: PreviousRound?,
) : View

/** What must be laid. */
data class Demand(
    /** how many cards */
    val count: Int,
    /** the letters of the colours, in the order `RGBY` */
    val colours: String,
)

/** The choice that made a demand. */
data class Choice(
    /** the seat that made it */
    val by: Int,
    /** the seat it named */
    val to: Int,
)

/** A turn that a seat has finished. */
data class NopeTurn(
    /** counted from 1, over the turns of all seats */
    val number: Int,
    /** of the demand */
    val count: Int,
    /** of the demand */
    val colours: String,
    /** how many cards were drawn */
    val drawn: Int,
    /** each card laid, in order, none being Nope; and the choice for a select, if one was made */
    val laid: List<String>,
)

/** A view of nope. */
data class NopeView(
    /** `nope` */
    override val game: String,
    /** how many sit at the table */
    override val seats: Int,
    /** your seat, from 0 */
    override val seat: Int,
    /** every option of 12.8 with the value in force */
    override val options: Map<String, Value>,
    /**
     * `lay`: a turn (12.4); `set`: you have begun a set, which only you see yet; `choose`: a select
     * asks for its choice (12.5); `over`
     */
    override val phase: String,
    /** the dealer; the next seat began */
    override val dealer: Int,
    /** the seat that owes a decision; null when over */
    override val turn: Int?,
    /** turns finished so far, by all seats together */
    val turns: Int,
    /** your cards, in the order of 12.10, copies repeated */
    override val hand: List<String>,
    /** the cards of your set so far, no longer in `hand` */
    val chosen: List<String>,
    /** by seat, the cards held, those in `chosen` included */
    override val handSizes: List<Int>,
    /**
     * what must be laid (12.3): `{"count":2,"colours":"RG"}`, colours in the order `RGBY`; null
     * while a choice is open, and when over
     */
    val demand: Demand?,
    /**
     * the choice that made this demand: `{"by":0,"to":2}`, the seat that made it and the seat it
     * named; it stays under see-throughs, though another seat plays; null where a card made it
     */
    val choice: Choice?,
    /** the whole discard pile, bottom to top */
    val discard: List<String>,
    /** how many cards the draw pile has */
    val drawPile: Int,
    /** the seats that are out, in the order they went */
    val out: List<Int>,
    /**
     * cards drawn so far in the turn being taken; in phase `choose` those drawn in the turn that
     * laid the select, 0 if it was opened first; 0 when over
     */
    val drew: Int,
    /**
     * by seat, its last four turns, oldest first. A turn is a list: its number, counted from 1 over
     * the turns of all seats as `turns` is; the count and the colours demanded; how many cards were
     * drawn; each card laid, in order, none being Nope; and the choice for a select, if one was
     * made: `[17,2,"RG",0,"SR","to2:3"]`
     */
    val recent: List<List<NopeTurn>>,
    /** by seat, its place, from 1; null until over */
    val places: List<Int>?,
    /** how the match ended (10.1); null until over */
    val ending: String?,
) : View

private fun readPreviousRound(view: MessageUnpacker): PreviousRound {
    var round: Int? = null
    var dealer: Int? = null
    var first: Int? = null
    var discard: String? = null
    var trump: String? = null
    var supertrump: String? = null
    var points: Int? = null
    var team: List<Int>? = null
    var bonus: Int? = null
    var tricksWon: List<Int>? = null
    var loot: List<Int>? = null
    var scored: List<Int>? = null
    var lastLeader: Int? = null
    var lastTrick: List<String>? = null
    var lastWinner: Int? = null
    repeat(view.unpackMapHeader()) {
        when (view.unpackString()) {
            "round" -> round = view.unpackInt()
            "dealer" -> dealer = view.unpackInt()
            "first" -> first = view.unpackInt()
            "discard" -> discard = view.unpackString()
            "trump" -> trump = view.unpackString()
            "supertrump" -> supertrump = view.unpackString()
            "points" -> points = view.unpackInt()
            "team" -> team = view.numbers()
            "bonus" -> bonus = view.orNull { unpackInt() }
            "tricks_won" -> tricksWon = view.numbers()
            "loot" -> loot = view.numbers()
            "scored" -> scored = view.numbers()
            "last_leader" -> lastLeader = view.unpackInt()
            "last_trick" -> lastTrick = view.texts()
            "last_winner" -> lastWinner = view.unpackInt()
            else -> view.skipValue()
        }
    }
    return PreviousRound(
        round ?: missing("round"),
        dealer ?: missing("dealer"),
        first ?: missing("first"),
        discard ?: missing("discard"),
        trump ?: missing("trump"),
        supertrump ?: missing("supertrump"),
        points ?: missing("points"),
        team ?: missing("team"),
        bonus,
        tricksWon ?: missing("tricks_won"),
        loot ?: missing("loot"),
        scored ?: missing("scored"),
        lastLeader ?: missing("last_leader"),
        lastTrick ?: missing("last_trick"),
        lastWinner ?: missing("last_winner"),
    )
}

private fun readTrickView(view: MessageUnpacker): TrickView {
    var game: String? = null
    var seats: Int? = null
    var seat: Int? = null
    var options: Map<String, Value>? = null
    var round: Int? = null
    var rounds: Int? = null
    var phase: String? = null
    var dealer: Int? = null
    var turn: Int? = null
    var scores: List<Int>? = null
    var hand: List<String>? = null
    var handSizes: List<Int>? = null
    var open: List<String>? = null
    var tokens: List<String>? = null
    var firstToken: Int? = null
    var first: Int? = null
    var discard: String? = null
    var trump: String? = null
    var supertrump: String? = null
    var points: Int? = null
    var team: List<Int>? = null
    var bonus: Int? = null
    var given: List<String>? = null
    var received: List<String>? = null
    var tricks: List<List<String>>? = null
    var leaders: List<Int>? = null
    var tricksWon: List<Int>? = null
    var loot: List<Int>? = null
    var previous: PreviousRound? = null
    repeat(view.unpackMapHeader()) {
        when (view.unpackString()) {
            "game" -> game = view.unpackString()
            "seats" -> seats = view.unpackInt()
            "seat" -> seat = view.unpackInt()
            "options" -> options = view.map()
            "round" -> round = view.unpackInt()
            "rounds" -> rounds = view.unpackInt()
            "phase" -> phase = view.unpackString()
            "dealer" -> dealer = view.unpackInt()
            "turn" -> turn = view.orNull { unpackInt() }
            "scores" -> scores = view.numbers()
            "hand" -> hand = view.texts()
            "hand_sizes" -> handSizes = view.numbers()
            "open" -> open = view.texts()
            "tokens" -> tokens = view.texts()
            "first_token" -> firstToken = view.unpackInt()
            "first" -> first = view.orNull { unpackInt() }
            "discard" -> discard = view.orNull { unpackString() }
            "trump" -> trump = view.orNull { unpackString() }
            "supertrump" -> supertrump = view.orNull { unpackString() }
            "points" -> points = view.orNull { unpackInt() }
            "team" -> team = view.orNull { numbers() }
            "bonus" -> bonus = view.orNull { unpackInt() }
            "given" -> given = view.texts()
            "received" -> received = view.texts()
            "tricks" -> tricks = view.list { texts() }
            "leaders" -> leaders = view.numbers()
            "tricks_won" -> tricksWon = view.numbers()
            "loot" -> loot = view.numbers()
            "previous" -> previous = view.orNull { readPreviousRound(this) }
            else -> view.skipValue()
        }
    }
    return TrickView(
        game ?: missing("game"),
        seats ?: missing("seats"),
        seat ?: missing("seat"),
        options ?: missing("options"),
        round ?: missing("round"),
        rounds ?: missing("rounds"),
        phase ?: missing("phase"),
        dealer ?: missing("dealer"),
        turn,
        scores ?: missing("scores"),
        hand ?: missing("hand"),
        handSizes ?: missing("hand_sizes"),
        open ?: missing("open"),
        tokens ?: missing("tokens"),
        firstToken ?: missing("first_token"),
        first,
        discard,
        trump,
        supertrump,
        points,
        team,
        bonus,
        given ?: missing("given"),
        received ?: missing("received"),
        tricks ?: missing("tricks"),
        leaders ?: missing("leaders"),
        tricksWon ?: missing("tricks_won"),
        loot ?: missing("loot"),
        previous,
    )
}

private fun readDemand(view: MessageUnpacker): Demand {
    var count: Int? = null
    var colours: String? = null
    repeat(view.unpackMapHeader()) {
        when (view.unpackString()) {
            "count" -> count = view.unpackInt()
            "colours" -> colours = view.unpackString()
            else -> view.skipValue()
        }
    }
    return Demand(
        count ?: missing("count"),
        colours ?: missing("colours"),
    )
}

private fun readChoice(view: MessageUnpacker): Choice {
    var by: Int? = null
    var to: Int? = null
    repeat(view.unpackMapHeader()) {
        when (view.unpackString()) {
            "by" -> by = view.unpackInt()
            "to" -> to = view.unpackInt()
            else -> view.skipValue()
        }
    }
    return Choice(
        by ?: missing("by"),
        to ?: missing("to"),
    )
}

private fun readNopeTurn(list: MessageUnpacker): NopeTurn {
    val rest = list.rest(4)
    return NopeTurn(
        number = list.unpackInt(),
        count = list.unpackInt(),
        colours = list.unpackString(),
        drawn = list.unpackInt(),
        laid = list.list(rest) { unpackString() },
    )
}

private fun readNopeView(view: MessageUnpacker): NopeView {
    var game: String? = null
    var seats: Int? = null
    var seat: Int? = null
    var options: Map<String, Value>? = null
    var phase: String? = null
    var dealer: Int? = null
    var turn: Int? = null
    var turns: Int? = null
    var hand: List<String>? = null
    var chosen: List<String>? = null
    var handSizes: List<Int>? = null
    var demand: Demand? = null
    var choice: Choice? = null
    var discard: List<String>? = null
    var drawPile: Int? = null
    var out: List<Int>? = null
    var drew: Int? = null
    var recent: List<List<NopeTurn>>? = null
    var places: List<Int>? = null
    var ending: String? = null
    repeat(view.unpackMapHeader()) {
        when (view.unpackString()) {
            "game" -> game = view.unpackString()
            "seats" -> seats = view.unpackInt()
            "seat" -> seat = view.unpackInt()
            "options" -> options = view.map()
            "phase" -> phase = view.unpackString()
            "dealer" -> dealer = view.unpackInt()
            "turn" -> turn = view.orNull { unpackInt() }
            "turns" -> turns = view.unpackInt()
            "hand" -> hand = view.texts()
            "chosen" -> chosen = view.texts()
            "hand_sizes" -> handSizes = view.numbers()
            "demand" -> demand = view.orNull { readDemand(this) }
            "choice" -> choice = view.orNull { readChoice(this) }
            "discard" -> discard = view.texts()
            "draw_pile" -> drawPile = view.unpackInt()
            "out" -> out = view.numbers()
            "drew" -> drew = view.unpackInt()
            "recent" -> recent = view.list { list { readNopeTurn(this) } }
            "places" -> places = view.orNull { numbers() }
            "ending" -> ending = view.orNull { unpackString() }
            else -> view.skipValue()
        }
    }
    return NopeView(
        game ?: missing("game"),
        seats ?: missing("seats"),
        seat ?: missing("seat"),
        options ?: missing("options"),
        phase ?: missing("phase"),
        dealer ?: missing("dealer"),
        turn,
        turns ?: missing("turns"),
        hand ?: missing("hand"),
        chosen ?: missing("chosen"),
        handSizes ?: missing("hand_sizes"),
        demand,
        choice,
        discard ?: missing("discard"),
        drawPile ?: missing("draw_pile"),
        out ?: missing("out"),
        drew ?: missing("drew"),
        recent ?: missing("recent"),
        places,
        ending,
    )
}
