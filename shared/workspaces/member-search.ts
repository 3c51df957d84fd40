import { writeBatch } from '../db/batch-write.ts';
import { query } from '../db/query.ts';
import { type Key, keys } from '../db/schema.ts';
import type { MemberItem } from './items.ts';
import { profileOf } from './profile-projection.ts';

/**
 * Members are searched by prefix of a name or e-mail. Each term of a member has a small item of its own, so that a
 * search reads only what it finds. The stream function maintains these items, about a second late; the result shows the
 * member items themselves.
 */

/** Limits per member, because the cost of a long name must be bounded. */
const maxTerms = 10;
const maxTermLength = 128;

/** Terms that one search reads. A user who finds too many members types another letter. */
const maxFound = 300;

/** The normalized form in which terms are stored and searched. */
function normal(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
  // Cut by code points: half a surrogate pair is not a valid key.
  return Array.from(plain).slice(0, maxTermLength).join('').trim();
}

/** The search terms of a member: the e-mail, each name, and each word of a name. */
export function termsOf(member: Pick<MemberItem, 'profile'>): string[] {
  const { email, display_name, preferred_username, name } = profileOf(member);
  const names = [
    display_name,
    preferred_username,
    name?.formatted,
    name?.given_name,
    name?.family_name,
  ]
    .map((each) => normal(each ?? ''))
    .filter((each) => each !== '');
  const words = names.flatMap((each) => each.split(' '));
  const terms = new Set([normal(email), ...names, ...words]);
  terms.delete('');
  return [...terms].slice(0, maxTerms);
}

/** True if the text is a prefix of one of the member's terms. */
export const isFoundBy = (member: Pick<MemberItem, 'profile'>, text: string): boolean =>
  termsOf(member).some((term) => term.startsWith(normal(text)));

/** The uids of the members that match the text, sorted, and whether there are more than one search reads. */
export async function findMembers(
  workspace_id: string,
  text: string,
): Promise<{ uids: string[]; more: boolean }> {
  const { pk } = keys.memberTerm(workspace_id, '', '');
  const prefix = normal(text);
  const { items: terms } = await query<Key>({ partition: pk, prefix, limit: maxFound + 1 });
  const items = terms.slice(0, maxFound);
  const found = items
    .map(({ sk }) => [sk.slice(0, sk.lastIndexOf('#')), sk.slice(sk.lastIndexOf('#') + 1)] as const)
    // A text with a # must not match the uid part of the sort key.
    .filter(([term]) => term.startsWith(prefix))
    .map(([, uid]) => uid);
  return { uids: [...new Set(found)].sort(), more: terms.length > maxFound };
}

/** Updates the search terms of a member after a change. Either version may be undefined. May be repeated. */
export async function refreshTerms(
  before: MemberItem | undefined,
  after: MemberItem | undefined,
): Promise<void> {
  const [old, now] = [before, after].map((member) => new Set(member ? termsOf(member) : []));
  const member = after ?? before;
  if (!member || !old || !now) return;
  const key = (term: string) => keys.memberTerm(member.workspace_id, term, member.user_id);
  const added = [...now].filter((term) => !old.has(term)).map(key);
  const gone = [...old].filter((term) => !now.has(term)).map(key);
  if (added.length + gone.length > 0) await writeBatch(added, gone);
}
