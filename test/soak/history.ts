import type { Operation } from '../../shared/contract/api.ts';

/** Who calls: a project's back end, a person by an access token, or a refresh token, or a key of a workspace. */
export type Caller = { project_id: string } & (
  | { kind: 'project' }
  | { kind: 'key'; workspace_id: string; key_id: string; token: string }
  | { kind: 'person' | 'refresh'; uid: string; session_id: string; token: string }
);

/** The person who calls; empty for a program. */
export const uidOf = (as: Caller): string => ('uid' in as ? as.uid : '');

/** What was asked, in the words of the contract. */
export type Asked = {
  name: Operation;
  as: Caller;
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: Record<string, unknown>;
  /** The `Idempotency-Key` that it carries. */
  key?: string;
  /** The walk through a list that it is a page of. */
  walk?: number;
  /** What it tries that must not be given to it. */
  probe?: Probe;
};

/**
 * `foreign`: what is another project's. `cursor`: a cursor of another list. `key`: another request's Idempotency-Key.
 */
export type Probe = 'foreign' | 'cursor' | 'key';

/** One request and what came of it; plain data, which a file of a run could hold. */
export type Entry = Omit<Asked, 'name'> & {
  name: string;
  id: number;
  client: number;
  /** Milliseconds of one clock: when the request was sent, and when its answer, or its end without one, was here. */
  began: number;
  ended: number;
  /** Missing where the connection was cut, or nobody waited any longer. */
  status?: number;
  /** The answer's bytes as text, and parsed. */
  text?: string;
  answer?: Answer;
  /** Where the next page begins, by the answer's Link header. */
  next?: string;
  /** The client itself went away in the middle of it. */
  cut?: boolean;
  /** Whether the answer says that it is one given before. */
  replayed?: boolean;
};

/** Whatever the service said. */
export type Answer = Record<string, unknown>;

/** `unknown`: nobody can know whether it was done. */
export type Outcome = 'done' | 'refused' | 'unknown';

export function outcomeOf({ status }: Pick<Entry, 'status'>): Outcome {
  if (status === undefined || status >= 500) return 'unknown';
  return status < 300 ? 'done' : 'refused';
}

/** What the table holds at the end, when nothing is under way any more. */
export type Scan = {
  /** When it was read, by the clock of the history. */
  at: number;
  items: readonly Stored[];
  /** Every item of each index. */
  indexes: Record<string, readonly Stored[]>;
};

export type Stored = { pk: string; sk: string } & Record<string, unknown>;

/** The requests in the order of their ends, and the table where it was read. */
export type History = {
  entries: readonly Entry[];
  scan: Scan | undefined;
  projects: readonly string[];
};

/** What a rule found, in a sentence, and the requests that show it. */
export type Violation = { rule: string; what: string; entries: readonly number[] };
