import { writeBatch } from '../db/batch-write.ts';
import { query } from '../db/query.ts';
import { type Key, keys } from '../db/schema.ts';
import type { MemberItem } from './items.ts';
import { profileOf } from './profile-projection.ts';

/**
 * Members are found by the beginning of a name or e-mail through small items beside them, one for each term: so a search
 * reads what it finds and nothing else. The stream function keeps them; they only find, about a second late, and what a
 * member is called is read from the member.
 */

/** The most terms of one member, and the longest: a name of many words must not cost without bound. */
const maxTerms = 10;
const maxTermLength = 128;

/** A search looks at so many terms; whoever finds too much types another letter. */
const maxFound = 300;

/** The form in which terms are stored and looked for. */
function normal(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
  // By characters: half of one is no text that a key can hold.
  return Array.from(plain).slice(0, maxTermLength).join('').trim();
}

/** By what a member is found: the e-mail, each name as a whole, and each word of a name. */
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

/** Whether a text is the beginning of one of a member's terms. */
export const isFoundBy = (member: Pick<MemberItem, 'profile'>, text: string): boolean =>
  termsOf(member).some((term) => term.startsWith(normal(text)));

/** The uids of a workspace's members that a text finds, in their order. */
export async function findMembers(workspace_id: string, text: string): Promise<string[]> {
  const { pk } = keys.memberTerm(workspace_id, '', '');
  const prefix = normal(text);
  const { items } = await query<Key>({ partition: pk, prefix, limit: maxFound });
  const found = items
    .map(({ sk }) => [sk.slice(0, sk.lastIndexOf('#')), sk.slice(sk.lastIndexOf('#') + 1)] as const)
    // A text that holds a # must not go on into the uids.
    .filter(([term]) => term.startsWith(prefix))
    .map(([, uid]) => uid);
  return [...new Set(found)].sort();
}

/** Brings the terms of a member from what they were to what they are; either side may be missing. May be repeated. */
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
