// What a seat may know, as types. Made from the tables of SPEC 11.11 and 12.11 in the repository
// of arena: `python -m tests.sample_bots.views --write`. The nil of SPEC is null here.
//
//   if (isTrick(view) && view.phase === "play") ... view.trump is a string here, and not null
//   if (isNope(view) && view.phase === "lay") ... view.demand.count
//
// A later server may send more fields than these.

/** Any view. `game` tells which it is. */
export type View = TrickView | NopeView | LaterView;

/** The round finished last. */
export interface PreviousRound {
  /** its number, from 1 */
  readonly round: number;
  /** its dealer */
  readonly dealer: number;
  /** row 1: its first player */
  readonly first: number;
  /** row 2: the open box */
  readonly discard: string;
  /** row 3: a colour letter, or `-` for none */
  readonly trump: string;
  /** row 4: a colour letter, or `-` for none */
  readonly supertrump: string;
  /** row 5: what a trick and a piece of loot were worth */
  readonly points: number;
  /** the first player's team, ascending */
  readonly team: readonly number[];
  /** the seat that held the bonus card; nil with 2 or 4 seats */
  readonly bonus: number | null;
  /** by seat, the tricks taken */
  readonly tricks_won: readonly number[];
  /** by seat, the loot captured */
  readonly loot: readonly number[];
  /** by seat, the points of that round alone */
  readonly scored: readonly number[];
  /** the seat that led its last trick */
  readonly last_leader: number;
  /** the cards of its last trick, in order of play */
  readonly last_trick: readonly string[];
  /** the seat that took it */
  readonly last_winner: number;
}

/** A view of nyet, njet and njet-it. */
export type TrickView = TrickTokens | TrickTeam | TrickDiscard | TrickPlay | TrickOver;

export function isTrick(view: View): view is TrickView {
  return view.game === "nyet" || view.game === "njet" || view.game === "njet-it";
}

/** The fields of every TrickView. */
export interface TrickFields {
  /** the name of the rule set (11.1) */
  readonly game: "nyet" | "njet" | "njet-it";
  /** how many sit at the table */
  readonly seats: number;
  /** your seat, from 0 */
  readonly seat: number;
  /** every option of 11.7 with the value in force */
  readonly options: Readonly<Record<string, unknown>>;
  /** the round being played, from 1 */
  readonly round: number;
  /** the match has at most so many rounds */
  readonly rounds: number;
  /** `tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over` */
  readonly phase: "tokens" | "team" | "discard" | "play" | "over";
  /** this round's dealer */
  readonly dealer: number;
  /** the seat that owes a decision; nil in phase `discard`, where all do, and when over */
  readonly turn: number | null;
  /** by seat, the points of all finished rounds */
  readonly scores: readonly number[];
  /**
   * your cards, in the order of 11.10, copies repeated, without those you have chosen to discard or
   * pass
   */
  readonly hand: readonly string[];
  /** by seat, the cards held; in phase `discard` still those dealt */
  readonly hand_sizes: readonly number[];
  /** the boxes not covered, in the order of 11.10 */
  readonly open: readonly string[];
  /** the boxes covered this round, first to last */
  readonly tokens: readonly string[];
  /** the seat that placed, or will place, the first token; the others follow clockwise */
  readonly first_token: number;
  /** row 1: the first player; nil until all rows are settled */
  readonly first: number | null;
  /** row 2: the open box, such as `1x`; nil until settled */
  readonly discard: string | null;
  /** row 3: a colour letter, or `-` for none; nil until settled */
  readonly trump: string | null;
  /** row 4: a colour letter, or `-` for none; nil until settled */
  readonly supertrump: string | null;
  /** row 5: what a trick and a piece of loot are worth; nil until settled */
  readonly points: number | null;
  /** the first player's team, ascending; all others are the other team; nil until chosen */
  readonly team: readonly number[] | null;
  /** the seat that holds the bonus card; nil until chosen, and with 2 or 4 seats */
  readonly bonus: number | null;
  /** the cards you have discarded or passed this round, as chosen */
  readonly given: readonly string[];
  /** the cards passed to you this round, once all have chosen */
  readonly received: readonly string[];
  /**
   * every trick of the round, each its cards in order of play; no trick before phase `play`; in
   * phase `play` the last is the open one, and may be empty
   */
  readonly tricks: readonly (readonly string[])[];
  /** for each of `tricks`, the seat that led it */
  readonly leaders: readonly number[];
  /** by seat, the tricks taken this round */
  readonly tricks_won: readonly number[];
  /** by seat, the loot captured this round (11.6) */
  readonly loot: readonly number[];
  /** the round finished last; nil in the first round */
  readonly previous: PreviousRound | null;
}

export interface TrickTokens extends TrickFields {
  readonly phase: "tokens";
  readonly turn: number;
}

export interface TrickTeam extends TrickFields {
  readonly phase: "team";
  readonly turn: number;
  readonly first: number;
  readonly discard: string;
  readonly trump: string;
  readonly supertrump: string;
  readonly points: number;
}

export interface TrickDiscard extends TrickFields {
  readonly phase: "discard";
  readonly first: number;
  readonly discard: string;
  readonly trump: string;
  readonly supertrump: string;
  readonly points: number;
  readonly team: readonly number[];
}

export interface TrickPlay extends TrickFields {
  readonly phase: "play";
  readonly turn: number;
  readonly first: number;
  readonly discard: string;
  readonly trump: string;
  readonly supertrump: string;
  readonly points: number;
  readonly team: readonly number[];
}

export interface TrickOver extends TrickFields {
  readonly phase: "over";
  readonly first: number;
  readonly discard: string;
  readonly trump: string;
  readonly supertrump: string;
  readonly points: number;
  readonly team: readonly number[];
  readonly previous: PreviousRound;
}

/** What must be laid. */
export interface Demand {
  /** how many cards */
  readonly count: number;
  /** the letters of the colours, in the order `RGBY` */
  readonly colours: string;
}

/** The choice that made a demand. */
export interface Choice {
  /** the seat that made it */
  readonly by: number;
  /** the seat it named */
  readonly to: number;
}

/**
 * A turn that a seat has finished. `number`: counted from 1, over the turns of all seats; `count`:
 * of the demand; `colours`: of the demand; `drawn`: how many cards were drawn; `laid`: each card
 * laid, in order, none being Nope; and the choice for a select, if one was made.
 */
export type NopeTurn = readonly [
  number: number,
  count: number,
  colours: string,
  drawn: number,
  ...laid: string[],
];

/** A view of nope. */
export type NopeView = NopeLay | NopeSet | NopeChoose | NopeOver;

export function isNope(view: View): view is NopeView {
  return view.game === "nope";
}

/** The fields of every NopeView. */
export interface NopeFields {
  /** `nope` */
  readonly game: "nope";
  /** how many sit at the table */
  readonly seats: number;
  /** your seat, from 0 */
  readonly seat: number;
  /** every option of 12.8 with the value in force */
  readonly options: Readonly<Record<string, unknown>>;
  /**
   * `lay`: a turn (12.4); `set`: you have begun a set, which only you see yet; `choose`: a select
   * asks for its choice (12.5); `over`
   */
  readonly phase: "lay" | "set" | "choose" | "over";
  /** the dealer; the next seat began */
  readonly dealer: number;
  /** the seat that owes a decision; nil when over */
  readonly turn: number | null;
  /** turns finished so far, by all seats together */
  readonly turns: number;
  /** your cards, in the order of 12.10, copies repeated */
  readonly hand: readonly string[];
  /** the cards of your set so far, no longer in `hand` */
  readonly chosen: readonly string[];
  /** by seat, the cards held, those in `chosen` included */
  readonly hand_sizes: readonly number[];
  /**
   * what must be laid (12.3): `{"count":2,"colours":"RG"}`, colours in the order `RGBY`; nil while
   * a choice is open, and when over
   */
  readonly demand: Demand | null;
  /**
   * the choice that made this demand: `{"by":0,"to":2}`, the seat that made it and the seat it
   * named; it stays under see-throughs, though another seat plays; nil where a card made it
   */
  readonly choice: Choice | null;
  /** the whole discard pile, bottom to top */
  readonly discard: readonly string[];
  /** how many cards the draw pile has */
  readonly draw_pile: number;
  /** the seats that are out, in the order they went */
  readonly out: readonly number[];
  /**
   * cards drawn so far in the turn being taken; in phase `choose` those drawn in the turn that laid
   * the select, 0 if it was opened first; 0 when over
   */
  readonly drew: number;
  /**
   * by seat, its last four turns, oldest first. A turn is a list: its number, counted from 1 over
   * the turns of all seats as `turns` is; the count and the colours demanded; how many cards were
   * drawn; each card laid, in order, none being Nope; and the choice for a select, if one was made:
   * `[17,2,"RG",0,"SR","to2:3"]`
   */
  readonly recent: readonly (readonly NopeTurn[])[];
  /** by seat, its place, from 1; nil until over */
  readonly places: readonly number[] | null;
  /** how the match ended (10.1); nil until over */
  readonly ending: string | null;
}

export interface NopeLay extends NopeFields {
  readonly phase: "lay";
  readonly turn: number;
  readonly demand: Demand;
}

export interface NopeSet extends NopeFields {
  readonly phase: "set";
  readonly turn: number;
  readonly demand: Demand;
}

export interface NopeChoose extends NopeFields {
  readonly phase: "choose";
  readonly turn: number;
}

export interface NopeOver extends NopeFields {
  readonly phase: "over";
  readonly places: readonly number[];
  readonly ending: string;
}

/**
 * A view of a game that this file does not know. TypeScript cannot say "any other text", so a text
 * that no game is called stands for it. Read a field as `view["name"]`, and look what it is.
 */
export interface LaterView {
  readonly game: `a later game: ${string}`;
  readonly [field: string]: unknown;
}
