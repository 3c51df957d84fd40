import { invalid, notFound } from '../model/errors.ts';
import type { PersonCaller, ProjectCaller } from './caller.ts';

/**
 * Whose things a request is about: the caller's own, or with Basic those of `user_id`, which is then required.
 * Throws `invalid_request`, or `not_found` to a person who names somebody else.
 */
export function whose(caller: ProjectCaller | PersonCaller, user_id: string | undefined): string {
  if (caller.kind === 'person' && user_id !== undefined && user_id !== caller.uid) throw notFound();
  const uid = caller.kind === 'person' ? caller.uid : user_id;
  if (uid === undefined) throw invalid('/query/user_id', 'Is required with a Basic credential');
  return uid;
}
