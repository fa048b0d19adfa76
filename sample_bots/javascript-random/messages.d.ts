// The messages of the protocol as types, field by field as in SPEC chapter 4.

import type { View } from "./views.js";

/** SPEC 4.1 */
export interface Hello {
  readonly type: "hello";
  readonly protocol: 1;
  readonly token: string;
  readonly version?: string;
  readonly author?: string;
  readonly language?: string;
  readonly offers?: readonly string[];
}

/** SPEC 4.5 */
export interface Action {
  readonly type: "action";
  readonly match: string;
  readonly id: number;
  readonly action: string;
  readonly note?: string;
}

/** SPEC 4.2 */
export interface Welcome {
  readonly type: "welcome";
  readonly protocol: number;
  readonly name: string;
  readonly offers: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
}

/** SPEC 4.3 */
export interface Start {
  readonly type: "start";
  readonly match: string;
  readonly game: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly seats: number;
  readonly names: readonly string[];
  readonly seat: number;
  readonly clock: Readonly<Record<string, number>>;
  readonly commitment: string;
}

/** SPEC 4.4 */
export interface Request {
  readonly type: "request";
  readonly match: string;
  readonly id: number;
  readonly view: View;
  readonly legal: readonly string[];
  readonly time_us: number;
  readonly charged_us: number;
}

/** SPEC 4.6 */
export interface Fault {
  readonly type: "fault";
  readonly match: string | null;
  readonly id: number | null;
  readonly kind: string;
  readonly code: string;
  readonly came: string;
  readonly expected: string;
  readonly played: string | null;
  readonly faults: number;
  readonly forfeit: boolean;
  readonly text: string;
}

/** SPEC 4.7 */
export interface End {
  readonly type: "end";
  readonly match: string;
  readonly scores: readonly number[];
  readonly places: readonly number[];
  readonly ending: string;
  readonly faults: readonly string[];
  readonly forfeits: readonly number[];
  readonly view?: View;
}

/** SPEC 4.8 */
export interface Bye {
  readonly type: "bye";
  readonly reason: string;
  readonly text: string;
}

export type FromBot = Hello | Action;
export type FromServer = Welcome | Start | Request | Fault | End | Bye;
