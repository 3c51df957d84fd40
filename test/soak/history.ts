import type { Operation } from '../../shared/contract/api.ts';

/** The caller: a project's backend, a user by an access token, a refresh token, or a key of a workspace. */
export type Caller = { project_id: string } & (
  | { kind: 'project' }
  | { kind: 'key'; workspace_id: string; key_id: string; token: string }
  | { kind: 'person' | 'refresh'; uid: string; session_id: string; token: string }
);

/** The id of the calling user; empty for a backend or key. */
export const uidOf = (as: Caller): string => ('uid' in as ? as.uid : '');

/** The request, in the terms of the contract. */
export type SentRequest = {
  name: Operation;
  as: Caller;
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: Record<string, unknown>;
  /** The `Idempotency-Key`. */
  key?: string;
  /** The walk through a list to which this page belongs. */
  walk?: number;
  /** The kind of access that must be refused. */
  probe?: Probe;
};

/** `foreign`: data of another project. `cursor`: a cursor of another list. `key`: another request's Idempotency-Key. */
export type Probe = 'foreign' | 'cursor' | 'key';

/** One request and its outcome, as serialisable data. */
export type Entry = Omit<SentRequest, 'name'> & {
  name: string;
  id: number;
  client: number;
  /** Milliseconds of one clock: when the request was sent, and when its response arrived or it ended without one. */
  began: number;
  ended: number;
  /** Undefined if the connection was cut or the client gave up. */
  status?: number;
  /** The response body as text, and parsed. */
  text?: string;
  answer?: Answer;
  /** The cursor of the next page, from the Link header. */
  next?: string;
  /** The client disconnected during the request. */
  cut?: boolean;
  /** Whether the response is marked as a replay. */
  replayed?: boolean;
};

/** An untyped response body. */
export type Answer = Record<string, unknown>;

/** `unknown`: the request may or may not have been executed. */
export type Outcome = 'done' | 'refused' | 'unknown';

export function outcomeOf({ status }: Pick<Entry, 'status'>): Outcome {
  if (status === undefined || status >= 500) return 'unknown';
  return status < 300 ? 'done' : 'refused';
}

/** The table at the end, when nothing is in flight. */
export type Scan = {
  /** When it was read, by the clock of the history. */
  at: number;
  items: readonly Stored[];
  /** Every item of each index. */
  indexes: Record<string, readonly Stored[]>;
};

export type Stored = { pk: string; sk: string } & Record<string, unknown>;

/** The requests in the order of their ends, and the table if it was read. */
export type History = {
  entries: readonly Entry[];
  scan: Scan | undefined;
  projects: readonly string[];
};

/** A rule violation: a sentence, and the requests that show it. */
export type Violation = { rule: string; what: string; entries: readonly number[] };
