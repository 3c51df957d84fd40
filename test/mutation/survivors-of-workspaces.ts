import { living } from './living.ts';
import type { Survivor } from './survivors.ts';

const batched = 'shared/workspaces/batched-transactions.ts';
const workspaces = 'shared/workspaces/workspaces.ts';
const directory = 'shared/directory/refresh.ts';
const ownership = 'shared/workspaces/ownership.ts';
const offered =
  'workspace.offered_to === member.user_id && workspace.offered_member_id === member.member_id;';
const accepted = 'owner_id === uid && accepted_by === uid;';
const invitations = 'shared/workspaces/invitations/invitations.ts';
const added =
  'const added = is && !was ? [place, ...(noted.has(nameOf(month)) ? [] : [month])] : [];';
const noteMonth = 'if (added.length > 0) note(month);';
const sharedTerm = '{ ...keyOf(term), ...(shared > 0 && { shared }) },';
const forget = 'if (noted.size >= maxNoted) noted.clear();';
const puts = 'const puts = [...now].filter(([term, { shared }]) => {';
const ofUser = 'shared/workspaces/members/user-workspaces.ts';
const another = 'if (batches[i + 1]) preparing = ahead(prepare(batches[i + 1]));';
const missing =
  "if (item === null && name.startsWith('user ')) unknown.add(name.slice('user '.length));";
const gone = 'workspace === null || workspace?.deleted_at !== undefined';

/** Survivors in what all of a workspace is read and written by. */
export const survivorsOfWorkspaces: readonly Survivor[] = [
  ...living(batched, 'What is prepared for no batch is written nowhere.', [
    'const prepare = async (batch: readonly T[] = []) => writesOf(batch, new Set());',
    '[]',
    '["Stryker was here"]',
  ]),
  ...living(
    batched,
    'It saves a transaction that fails: a batch with the writes of another is read again.',
    [another, 'batches[i + 1]', 'true'],
    [another, 'batches[i + 1]', 'false'],
    [another, 'i + 1', 'i - 1'],
  ),
  ...living(
    batched,
    'It saves the transactions of the other batches, which all fail by the workspace.',
    [
      "if ((await finish(batch, writes)) === 'workspace has changed') return;",
      "'workspace has changed'",
      '""',
    ],
    ["if ('workspace' in failed) return 'workspace has changed';", "'workspace has changed'", '""'],
  ),
  ...living(
    batched,
    'It is compared with the other text alone.',
    ["if (!failed) return 'written';", "'written'", '""'],
    ["if (left.length === 0) return 'written';", "'written'", '""'],
  ),
  ...living(
    batched,
    'The write of a user fails only if there is no item, and no other name ends with the id of a user alone.',
    [missing, "item === null && name.startsWith('user ')", 'true'],
    [
      missing,
      "item === null && name.startsWith('user ')",
      "item === null || name.startsWith('user ')",
    ],
    [missing, 'item === null', 'true'],
    [missing, "'user '", '""'],
  ),
  ...living(
    batched,
    'It saves a transaction that changes nothing.',
    ["if (left.length === 0) return 'written';", 'left.length === 0', 'false'],
    [
      'if (Object.keys(writes).length === 0) return undefined;',
      'Object.keys(writes).length === 0',
      'false',
    ],
  ),
  ...living(
    ownership,
    'An offer ends with the membership that it was made to, in the same write.',
    [
      offered,
      'workspace.offered_to === member.user_id && workspace.offered_member_id === member.member_id',
      'workspace.offered_to === member.user_id || workspace.offered_member_id === member.member_id',
    ],
    [offered, 'workspace.offered_to === member.user_id', 'true'],
    [offered, 'workspace.offered_member_id === member.member_id', 'true'],
  ),
  ...living(ownership, 'Each change of the owner sets or removes who has accepted.', [
    accepted,
    'owner_id === uid',
    'true',
  ]),
  ...living(invitations, 'No token has such a digest.', [
    "return { ...item, ...times, mailbox, token_sha256: '' };",
    "''",
    '"Stryker was here!"',
  ]),
  ...living(invitations, 'It is one second, of a month in which DynamoDB may delete it.', [
    'expires_at <= epochSeconds(now);',
    'expires_at <= epochSeconds(now)',
    'expires_at < epochSeconds(now)',
  ]),
  ...living(ownership, 'Without an offer there is nobody whose offer could end.', [
    "const { offered_to = '', offered_member_id: _, ...without } = workspace;",
    "''",
    '"Stryker was here!"',
  ]),
  ...living(
    workspaces,
    'test/contract/strangers.test.ts fails of it, which asks this of every route.',
    [
      '): boolean => workspace.project_id === project_id && workspace.deleted_at === undefined;',
      'workspace.project_id === project_id',
      'true',
    ],
    ["if (!workspace) throw notFound('no such workspace');", '!workspace', 'false'],
  ),
  ...living(
    workspaces,
    'It saves a rerun, which finds that the workspace is gone.',
    [gone, 'workspace === null', 'false'],
    [gone, 'workspace?.deleted_at !== undefined', 'false'],
  ),
  ...living(
    workspaces,
    'The cause of a failure, for the log.',
    [
      "? notFound('the workspace was deleted meanwhile')",
      "'the workspace was deleted meanwhile'",
      '""',
    ],
    ["if (!workspace) throw notFound('no such workspace');", "'no such workspace'", '""'],
  ),
  ...living(ofUser, 'The key of an id `undefined` sorts before those of all ids.', [
    '...(after !== undefined && {',
    'after !== undefined',
    'true',
  ]),
  ...living(
    ofUser,
    'What is longer than the limit has a last element; the compiler does not know.',
    [
      'if (invited.length > limit) return { invited: page, next: page.at(-1)?.workspace.workspace_id };',
      'page.at(-1)?.workspace',
      'page.at(-1).workspace',
    ],
  ),
  ...living(ofUser, 'A user has no more workspaces than the limit.', [
    "(await findMemberships(uid, 'accepted', { limit })).found.map(byWorkspace);",
    '{ limit }',
    '{}',
  ]),
  ...living(
    ofUser,
    'It bounds the reads: one of the first decides, unless all of them are outdated.',
    [
      'const shared = ours.filter((id) => theirIds.has(id)).slice(0, maxShared);',
      'ours.filter((id) => theirIds.has(id)).slice(0, maxShared)',
      'ours.filter(id => theirIds.has(id))',
    ],
  ),
  ...living(ofUser, 'Only the partition is used.', [
    "const { by_email_pk } = byDomain(project_id, domain, '');",
    "''",
    '"Stryker was here!"',
  ]),
  ...living(directory, 'A term of what is deleted finds nothing, because what is found is read.', [
    'const itemsOf = (each: Entry | undefined) => termItems(each?.terms ?? [], keyOf);',
    '[]',
    '["Stryker was here"]',
  ]),
  ...living(
    directory,
    'It saves writes of what is stored already.',
    [puts, '[...now].filter(([term, { shared }]) => {', '[...now]'],
    ['return !stored || stored.shared !== shared;', '!stored || stored.shared !== shared', 'true'],
    [added, 'is && !was', 'is || !was'],
    [noteMonth, 'added.length > 0', 'true'],
    [noteMonth, 'added.length > 0', 'false'],
    [noteMonth, 'added.length > 0', 'added.length >= 0'],
    [noteMonth, 'added.length > 0', 'added.length <= 0'],
    ['function note(month: Key): void {', '{', '{}'],
    ['noted.add(nameOf(month));', 'noted.add(nameOf(month));', ';'],
  ),
  ...living(
    directory,
    'It bounds the memory; what is forgotten is written again.',
    [forget, 'noted.clear();', ';'],
    [forget, 'noted.size >= maxNoted', 'true'],
    [forget, 'noted.size >= maxNoted', 'false'],
    [forget, 'noted.size >= maxNoted', 'noted.size > maxNoted'],
    [forget, 'noted.size >= maxNoted', 'noted.size < maxNoted'],
  ),
  ...living(
    directory,
    'To share nothing is stored or not, and means the same.',
    [sharedTerm, 'shared > 0', 'true'],
    [sharedTerm, 'shared > 0', 'shared >= 0'],
  ),
];
