import type * as z from 'zod';
import type { EventType } from '../../model/events.ts';
import type { Action } from '../../model/policy.ts';
import type { Rate } from '../../model/rates.ts';
import type { Operation } from '../api.ts';
import type { SuccessStatus } from '../route.ts';

/**
 * What the description of an operation says that its route does not. Apart from the routes, so that the bundles of
 * functions do not contain it.
 */
export type OperationNote = {
  /** One or two sentences beyond the summary. */
  text: string;
  /** The actions of the permission table, one of which the request takes. */
  permissions?: readonly Action[];
  /** Every event that a request can cause, at once or by a job that follows. */
  events?: readonly EventType[];
  /** What a success means, by status, where the usual words do not say it. */
  answers?: Readonly<Partial<Record<SuccessStatus, Answer>>>;
  /** The rate limits besides that of the project (`isPublicByProject`) and API Gateway's. */
  rates?: readonly Rate[];
};

/** The words for a success, and its own form where the response of the route is a union. */
type Answer = { description: string; form?: { schema: z.ZodType; example: unknown } };

/** The notes of some groups: `members` has one for each `members.verb`. */
export type NotesOf<Group extends string> = Record<
  Extract<Operation, `${Group}.${string}`>,
  OperationNote
>;

/** Of a `DELETE` whose answer has no time of the end. */
export const asBefore = { 200: { description: 'As it was before.' } } as const;

/** A lifetime in the words of a note. */
export const days = (seconds: number): string => `${seconds / 86_400} days`;

/** Of a first verification of an e-mail, which removes what was set up before it. */
export const credentialReset = [
  'user.email_verified',
  'user.identity_unlinked',
  'user.passkey_removed',
  'user.factor_removed',
  'user.sessions_ended',
  'user.api_key.revoked',
] as const;
