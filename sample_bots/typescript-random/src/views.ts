// What a seat may know, as types: SPEC 11.11 and 12.11 say what each field means.
//
//   if (view.game === "nope") view.demand ... else view.trump ...

export type View = TrickView | NopeView;

/** SPEC 11.11: nyet, njet and njet-it. */
export interface TrickView {
  readonly game: "nyet" | "njet" | "njet-it";
  readonly seats: number;
  readonly seat: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly round: number;
  readonly rounds: number;
  readonly phase: "tokens" | "team" | "discard" | "play" | "over";
  readonly dealer: number;
  readonly turn: number | null;
  readonly scores: readonly number[];
  readonly hand: readonly string[];
  readonly hand_sizes: readonly number[];
  readonly open: readonly string[];
  readonly tokens: readonly string[];
  readonly first_token: number;
  readonly first: number | null;
  readonly discard: string | null;
  readonly trump: string | null;
  readonly supertrump: string | null;
  readonly points: number | null;
  readonly team: readonly number[] | null;
  readonly bonus: number | null;
  readonly given: readonly string[];
  readonly received: readonly string[] | null;
  readonly tricks: readonly (readonly string[])[];
  readonly leaders: readonly number[];
  readonly tricks_won: readonly number[];
  readonly loot: readonly number[];
  readonly previous: PreviousRound | null;
}

/** SPEC 11.11: the round finished last. */
export interface PreviousRound {
  readonly round: number;
  readonly dealer: number;
  readonly first: number;
  readonly discard: string;
  readonly trump: string;
  readonly supertrump: string;
  readonly points: number;
  readonly team: readonly number[];
  readonly bonus: number | null;
  readonly tricks_won: readonly number[];
  readonly loot: readonly number[];
  readonly scored: readonly number[];
  readonly last_leader: number;
  readonly last_trick: readonly string[];
  readonly last_winner: number;
}

/** SPEC 12.11 */
export interface NopeView {
  readonly game: "nope";
  readonly seats: number;
  readonly seat: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly phase: "lay" | "set" | "choose" | "over";
  readonly dealer: number;
  readonly turn: number | null;
  readonly turns: number;
  readonly hand: readonly string[];
  readonly chosen: readonly string[];
  readonly hand_sizes: readonly number[];
  readonly demand: { readonly count: number; readonly colours: string } | null;
  readonly choice: { readonly by: number; readonly to: number } | null;
  readonly discard: readonly string[];
  readonly draw_pile: number;
  readonly out: readonly number[];
  readonly drew: number;
  /** By seat, its last turns: number, count, colours, cards drawn, and then what was laid. */
  readonly recent: readonly (readonly NopeTurn[])[];
  readonly places: readonly number[] | null;
  readonly ending: string | null;
}

export type NopeTurn = readonly [number, number, string, number, ...string[]];
