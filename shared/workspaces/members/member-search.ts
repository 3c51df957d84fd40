import { writeBatch } from '../../db/batch-write.ts';
import { keys } from '../../db/keys.ts';
import { findIds, termChanges } from '../../directory/find.ts';
import { isFoundBy, termsOfPerson } from '../../directory/terms.ts';
import type { MemberItem } from '../items.ts';
import { profileOf } from './profile-projection.ts';

/** The terms by which a member is found. */
export const termsOfMember = (member: Pick<MemberItem, 'profile'>): string[] =>
  termsOfPerson(profileOf(member));

/** True if the member is found by the text. */
export const isMemberFoundBy = (member: Pick<MemberItem, 'profile'>, text: string): boolean =>
  isFoundBy(termsOfMember(member), text);

/** The uids of the members that are found by the text, sorted, and whether there are more than one search reads. */
export const findMembers = (workspace_id: string, text: string) =>
  findIds((term, uid) => keys.memberTerm(workspace_id, term, uid), text);

/** Updates the search terms of a member after a change. Either version may be undefined. May be repeated. */
export async function refreshTerms(
  before: MemberItem | undefined,
  after: MemberItem | undefined,
): Promise<void> {
  const member = after ?? before;
  if (!member) return;
  const { workspace_id, user_id } = member;
  const [old, now] = [before, after].map((each) => (each ? termsOfMember(each) : []));
  const keyOf = (term: string) => keys.memberTerm(workspace_id, term, user_id);
  const { puts, removals } = termChanges(keyOf, old ?? [], now ?? []);
  if (puts.length + removals.length > 0) await writeBatch(puts, removals);
}
