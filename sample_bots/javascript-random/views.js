// @ts-check
// What a seat may know, as types. Made from the tables of SPEC 11.11 and 12.11 in the repository
// of arena: `python -m tests.sample_bots.views --write`. The nil of SPEC is null here.
//
//   if (isTrick(view) && view.phase === "play") ... view.trump is a string here, and not null
//   if (isNope(view) && view.phase === "lay") ... view.demand.count
//
// A later server may send more fields than these.

/**
 * Any view. `game` tells which it is.
 *
 * @typedef {TrickView | NopeView | LaterView} View
 */

/**
 * The round finished last.
 *
 * @typedef {object} PreviousRound
 * @property {number} round its number, from 1
 * @property {number} dealer its dealer
 * @property {number} first row 1: its first player
 * @property {string} discard row 2: the open box
 * @property {string} trump row 3: a colour letter, or `-` for none
 * @property {string} supertrump row 4: a colour letter, or `-` for none
 * @property {number} points row 5: what a trick and a piece of loot were worth
 * @property {readonly number[]} team the first player's team, ascending
 * @property {number | null} bonus the seat that held the bonus card; nil with 2 or 4 seats
 * @property {readonly number[]} tricks_won by seat, the tricks taken
 * @property {readonly number[]} loot by seat, the loot captured
 * @property {readonly number[]} scored by seat, the points of that round alone
 * @property {number} last_leader the seat that led its last trick
 * @property {readonly string[]} last_trick the cards of its last trick, in order of play
 * @property {number} last_winner the seat that took it
 */

/**
 * A view of nyet, njet and njet-it.
 *
 * @typedef {TrickTokens | TrickTeam | TrickDiscard | TrickPlay | TrickOver} TrickView
 */

/**
 * The fields of every TrickView.
 *
 * @typedef {object} TrickFields
 * @property {"nyet" | "njet" | "njet-it"} game the name of the rule set (11.1)
 * @property {number} seats how many sit at the table
 * @property {number} seat your seat, from 0
 * @property {Readonly<Record<string, unknown>>} options every option of 11.7 with the value in
 *   force
 * @property {number} round the round being played, from 1
 * @property {number} rounds the match has at most so many rounds
 * @property {"tokens" | "team" | "discard" | "play" | "over"} phase `tokens`, `team`, `discard`
 *   (or pass) or `play`: what is asked for (11.3); `over`
 * @property {number} dealer this round's dealer
 * @property {number | null} turn the seat that owes a decision; nil in phase `discard`, where all
 *   do, and when over
 * @property {readonly number[]} scores by seat, the points of all finished rounds
 * @property {readonly string[]} hand your cards, in the order of 11.10, copies repeated, without
 *   those you have chosen to discard or pass
 * @property {readonly number[]} hand_sizes by seat, the cards held; in phase `discard` still
 *   those dealt
 * @property {readonly string[]} open the boxes not covered, in the order of 11.10
 * @property {readonly string[]} tokens the boxes covered this round, first to last
 * @property {number} first_token the seat that placed, or will place, the first token; the others
 *   follow clockwise
 * @property {number | null} first row 1: the first player; nil until all rows are settled
 * @property {string | null} discard row 2: the open box, such as `1x`; nil until settled
 * @property {string | null} trump row 3: a colour letter, or `-` for none; nil until settled
 * @property {string | null} supertrump row 4: a colour letter, or `-` for none; nil until settled
 * @property {number | null} points row 5: what a trick and a piece of loot are worth; nil until
 *   settled
 * @property {readonly number[] | null} team the first player's team, ascending; all others are
 *   the other team; nil until chosen
 * @property {number | null} bonus the seat that holds the bonus card; nil until chosen, and with
 *   2 or 4 seats
 * @property {readonly string[]} given the cards you have discarded or passed this round, as
 *   chosen
 * @property {readonly string[]} received the cards passed to you this round, once all have chosen
 * @property {readonly (readonly string[])[]} tricks every trick of the round, each its cards in
 *   order of play; no trick before phase `play`; in phase `play` the last is the open one, and
 *   may be empty
 * @property {readonly number[]} leaders for each of `tricks`, the seat that led it
 * @property {readonly number[]} tricks_won by seat, the tricks taken this round
 * @property {readonly number[]} loot by seat, the loot captured this round (11.6)
 * @property {PreviousRound | null} previous the round finished last; nil in the first round
 */

/**
 * @typedef {TrickFields & {
 *   phase: "tokens",
 *   turn: number,
 * }} TrickTokens
 */

/**
 * @typedef {TrickFields & {
 *   phase: "team",
 *   turn: number,
 *   first: number,
 *   discard: string,
 *   trump: string,
 *   supertrump: string,
 *   points: number,
 * }} TrickTeam
 */

/**
 * @typedef {TrickFields & {
 *   phase: "discard",
 *   first: number,
 *   discard: string,
 *   trump: string,
 *   supertrump: string,
 *   points: number,
 *   team: readonly number[],
 * }} TrickDiscard
 */

/**
 * @typedef {TrickFields & {
 *   phase: "play",
 *   turn: number,
 *   first: number,
 *   discard: string,
 *   trump: string,
 *   supertrump: string,
 *   points: number,
 *   team: readonly number[],
 * }} TrickPlay
 */

/**
 * @typedef {TrickFields & {
 *   phase: "over",
 *   first: number,
 *   discard: string,
 *   trump: string,
 *   supertrump: string,
 *   points: number,
 *   team: readonly number[],
 *   previous: PreviousRound,
 * }} TrickOver
 */

/**
 * @param {View} view
 * @returns {view is TrickView}
 */
export function isTrick(view) {
  return view.game === "nyet" || view.game === "njet" || view.game === "njet-it";
}

/**
 * What must be laid.
 *
 * @typedef {object} Demand
 * @property {number} count how many cards
 * @property {string} colours the letters of the colours, in the order `RGBY`
 */

/**
 * The choice that made a demand.
 *
 * @typedef {object} Choice
 * @property {number} by the seat that made it
 * @property {number} to the seat it named
 */

/**
 * A turn that a seat has finished. `number`: counted from 1, over the turns of all seats; `count`:
 * of the demand; `colours`: of the demand; `drawn`: how many cards were drawn; `laid`: each card
 * laid, in order, none being Nope; and the choice for a select, if one was made.
 *
 * @typedef {readonly [
 *   number: number,
 *   count: number,
 *   colours: string,
 *   drawn: number,
 *   ...laid: string[],
 * ]} NopeTurn
 */

/**
 * A view of nope.
 *
 * @typedef {NopeLay | NopeSet | NopeChoose | NopeOver} NopeView
 */

/**
 * The fields of every NopeView.
 *
 * @typedef {object} NopeFields
 * @property {"nope"} game `nope`
 * @property {number} seats how many sit at the table
 * @property {number} seat your seat, from 0
 * @property {Readonly<Record<string, unknown>>} options every option of 12.8 with the value in
 *   force
 * @property {"lay" | "set" | "choose" | "over"} phase `lay`: a turn (12.4); `set`: you have begun
 *   a set, which only you see yet; `choose`: a select asks for its choice (12.5); `over`
 * @property {number} dealer the dealer; the next seat began
 * @property {number | null} turn the seat that owes a decision; nil when over
 * @property {number} turns turns finished so far, by all seats together
 * @property {readonly string[]} hand your cards, in the order of 12.10, copies repeated
 * @property {readonly string[]} chosen the cards of your set so far, no longer in `hand`
 * @property {readonly number[]} hand_sizes by seat, the cards held, those in `chosen` included
 * @property {Demand | null} demand what must be laid (12.3): `{"count":2,"colours":"RG"}`,
 *   colours in the order `RGBY`; nil while a choice is open, and when over
 * @property {Choice | null} choice the choice that made this demand: `{"by":0,"to":2}`, the seat
 *   that made it and the seat it named; it stays under see-throughs, though another seat plays;
 *   nil where a card made it
 * @property {readonly string[]} discard the whole discard pile, bottom to top
 * @property {number} draw_pile how many cards the draw pile has
 * @property {readonly number[]} out the seats that are out, in the order they went
 * @property {number} drew cards drawn so far in the turn being taken; in phase `choose` those
 *   drawn in the turn that laid the select, 0 if it was opened first; 0 when over
 * @property {readonly (readonly NopeTurn[])[]} recent by seat, its last four turns, oldest first.
 *   A turn is a list: its number, counted from 1 over the turns of all seats as `turns` is; the
 *   count and the colours demanded; how many cards were drawn; each card laid, in order, none
 *   being Nope; and the choice for a select, if one was made: `[17,2,"RG",0,"SR","to2:3"]`
 * @property {readonly number[] | null} places by seat, its place, from 1; nil until over
 * @property {string | null} ending how the match ended (10.1); nil until over
 */

/**
 * @typedef {NopeFields & {
 *   phase: "lay",
 *   turn: number,
 *   demand: Demand,
 * }} NopeLay
 */

/**
 * @typedef {NopeFields & {
 *   phase: "set",
 *   turn: number,
 *   demand: Demand,
 * }} NopeSet
 */

/**
 * @typedef {NopeFields & {
 *   phase: "choose",
 *   turn: number,
 * }} NopeChoose
 */

/**
 * @typedef {NopeFields & {
 *   phase: "over",
 *   places: readonly number[],
 *   ending: string,
 * }} NopeOver
 */

/**
 * @param {View} view
 * @returns {view is NopeView}
 */
export function isNope(view) {
  return view.game === "nope";
}

/**
 * A view of a game that this file does not know. JSDoc cannot say "any other text", so a text that
 * no game is called stands for it. Read a field as `view["name"]`, and look what it is.
 *
 * @typedef {{
 *   readonly game: `a later game: ${string}`,
 *   readonly [field: string]: unknown,
 * }} LaterView
 */
