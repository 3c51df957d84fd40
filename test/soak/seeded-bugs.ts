import type { SeededBug } from './run-seeded-bug.ts';
import { bugsOfTheFrame } from './seeded-bugs-in-the-frame.ts';
import { bugsOfKeys } from './seeded-bugs-of-keys.ts';

const guards = 'guards and users point at each other';
const onePerEmail = 'one user per e-mail';
const counts = 'counts equal items';
const both = 'never pending and accepted at once';
const oneOwner = 'one owner, accepted and admin';
const lost = 'no acknowledged write lost';
const refused = 'no refused write visible';
const deleted = 'nothing visible after an acknowledged delete';
const signedOut = 'no session after an acknowledged sign-out';
const generation = 'one valid refresh token per session';
const equalTokens = 'equal responses to equal tokens';
const foreign = 'nothing of one project through another';
const ownWrites = 'read your writes';
const pages = 'pages without gaps or repeats';
const events = 'every event once';
const punished = 'no valid client refused';
const documented = 'only documented statuses, never 500';
const back = 'modified_at never back';
const sameKey = 'same Idempotency-Key, equal response and one change';
const statistics = 'statistics equal items and events';

const bugsOfDomains: readonly SeededBug[] = [
  {
    name: 'the guard of an e-mail replaces another',
    file: 'shared/identity/users/new-user.ts',
    find: 'create({ ...keys.emailGuard(project_id, email), uid });',
    replace: "({ kind: 'put', item: { ...keys.emailGuard(project_id, email), uid } });",
    caughtBy: [onePerEmail, guards],
  },
  {
    name: 'a user is created without a guard',
    file: 'shared/identity/users/new-user.ts',
    find: '  guard: emailGuard(user),\n',
    replace: '',
    caughtBy: [onePerEmail, guards],
  },
  {
    name: 'the guard of the former e-mail stays',
    file: 'shared/identity/users/update-user.ts',
    find: "freed: moved && user.email !== '' ? del(before, ours) : undefined,",
    replace: '',
    caughtBy: [guards],
  },
  {
    name: 'a taken e-mail is taken again',
    file: 'shared/identity/users/update-user.ts',
    find: 'guard: moved ? create<EmailGuard>({ ...after, uid }) : undefined,',
    replace: "guard: moved ? { kind: 'put', item: { ...after, uid } } : undefined,",
    caughtBy: [guards, onePerEmail],
  },
  {
    name: 'a deleted user keeps the guard',
    file: 'shared/accounts/delete-user.ts',
    find: "...(user.email !== '' && { guard: del(keys.emailGuard(project_id, user.email), ours(uid)) }),",
    replace: '',
    caughtBy: [guards],
  },
  {
    name: 'a deleted user keeps the sessions',
    file: 'shared/accounts/delete-user.ts',
    find: 'const sessions = (await sessionDeletions(user, { keep, max: room })).writes;',
    replace: 'const sessions = {};',
    caughtBy: [signedOut, deleted],
  },
  {
    name: 'a deleted user is still found',
    file: 'shared/identity/users/users.ts',
    find: 'return user?.deleted_at === undefined ? user : undefined;',
    replace: 'return user;',
    caughtBy: [deleted, documented],
  },
  {
    name: 'a deleted user can be changed',
    file: 'shared/identity/users/update-user.ts',
    find: 'condition: existsInProject(project_id),',
    replace: "condition: where('#project_id = :project_id', { project_id }),",
    caughtBy: [deleted, lost, documented, events],
  },
  {
    name: 'an added member is not counted',
    file: 'shared/workspaces/members/add-member.ts',
    find: 'const add = { total_member_count: 1, ',
    replace: 'const add = { total_member_count: 0, ',
    caughtBy: [counts],
  },
  {
    name: 'an accepted invitation stays counted',
    file: 'shared/workspaces/members/add-member.ts',
    find: '...(invitation && { pending_member_count: -1 }) };',
    replace: '};',
    caughtBy: [counts],
  },
  {
    name: 'a user who leaves a workspace still counts it',
    file: 'shared/workspaces/members/change-member.ts',
    find: 'user: isArchived(member) ? undefined : decrementMemberships(user_id),',
    replace: '',
    caughtBy: [counts],
  },
  {
    name: 'a member may be invited',
    file: 'shared/workspaces/invitations/change-invitations.ts',
    find: 'member: mustNotExist(keys.member(workspace_id, user.uid)),\n          user:',
    replace: 'user:',
    caughtBy: [both],
  },
  {
    name: 'a user who joins during an invitation stays invited',
    file: 'shared/workspaces/members/add-member.ts',
    find: 'invitation ? del(key, invitationUnchanged(invitation)) : mustNotExist(key),',
    replace: 'invitation ? del(key, invitationUnchanged(invitation)) : undefined,',
    caughtBy: [both],
  },
  {
    name: 'a concurrently revoked invitation is accepted',
    file: 'shared/workspaces/members/add-member.ts',
    find: 'invitation ? del(key, invitationUnchanged(invitation)) : mustNotExist(key),',
    replace: 'invitation ? del(key) : mustNotExist(key),',
    caughtBy: [counts],
  },
  {
    name: 'a second join replaces the member',
    file: 'shared/workspaces/members/add-member.ts',
    find: '    member: create(member),',
    replace: "    member: { kind: 'put', item: member },",
    caughtBy: [counts],
  },
  {
    name: 'a member can be removed while becoming the owner',
    file: 'shared/workspaces/members/membership-transaction.ts',
    find: "where('#owner_id <> :owner', { owner: uid });",
    replace: "where('attribute_exists(#pk) OR #owner_id <> :owner', { owner: uid });",
    caughtBy: [oneOwner],
  },
  {
    name: 'a former admin becomes the owner',
    file: 'shared/workspaces/ownership.ts',
    find: '      member: stillEligible(member),\n      previous:',
    replace: '      previous:',
    caughtBy: [oneOwner],
  },
  {
    name: 'two concurrent transfers of a workspace succeed',
    file: 'shared/workspaces/ownership.ts',
    find: 'and(ownedBy(owner_id), notModifiedAfter(set.modified_at), read),',
    replace: "and(where('attribute_not_exists(#deleted_at)'), read),",
    caughtBy: [counts],
  },
  {
    name: 'the previous owner still counts the workspace',
    file: 'shared/workspaces/ownership.ts',
    find: 'previousOwner: update(\n        keys.user(owner_id),\n        { increment: { owned_workspace_count: -1 } },\n        userExists,\n      ),',
    replace: '',
    caughtBy: [counts],
  },
  {
    name: 'a deleted workspace is still found',
    file: 'shared/workspaces/workspaces.ts',
    find: 'workspace.project_id === project_id && workspace.deleted_at === undefined',
    replace: 'workspace.project_id === project_id',
    caughtBy: [deleted],
  },
  {
    name: 'a deleted workspace can be changed',
    file: 'shared/db/condition.ts',
    find: "where('#project_id = :project_id AND attribute_not_exists(#deleted_at)', { project_id });",
    replace: "where('#project_id = :project_id', { project_id });",
    caughtBy: [deleted, lost],
  },
  {
    name: 'two concurrent deletions of a workspace succeed',
    file: 'shared/workspaces/delete-workspace.ts',
    find: "where('attribute_not_exists(#deleted_at) AND #owner_id = :owner_id', { owner_id });",
    replace: "where('#owner_id = :owner_id', { owner_id });",
    caughtBy: [counts, deleted],
  },
  {
    name: "another project's workspace is found",
    file: 'shared/workspaces/workspaces.ts',
    find: 'workspace.project_id === project_id && workspace.deleted_at === undefined',
    replace: 'workspace.deleted_at === undefined',
    caughtBy: [foreign],
  },
  {
    name: "another project's user is found",
    file: 'shared/identity/users/users.ts',
    find: 'return user?.project_id === project_id ? user : undefined;',
    replace: 'return user;',
    caughtBy: [foreign],
  },
  {
    name: 'an ended session is valid',
    file: 'shared/access/live-session.ts',
    find: 'return session?.project_id === project_id && isLiveSession(session, now) ? session : undefined;',
    replace:
      'return session ?? ({ ...keys.session(uid, session_id), uid, session_id, project_id } as SessionItem);',
    caughtBy: [signedOut],
  },
  {
    name: 'a write does not wait for the session',
    file: 'shared/db/transaction.ts',
    find: '): Promise<T> {\n  await currentRequest().sessionVerified;',
    replace: '): Promise<T> {',
    // The change of a request waits in the frame too, and the soak uses no session at what writes before it.
    caughtBy: ['updateItem'],
    tests: 'test/shared/db/transaction.test.ts',
  },
  {
    name: 'a concurrent new session survives the end of all sessions',
    file: 'shared/identity/sessions/sessions.ts',
    find: "attributeUnchanged('last_session_id', user.last_session_id)",
    replace: "attributeUnchanged('pk', user.pk)",
    caughtBy: [signedOut, deleted],
  },
  {
    name: 'a refresh token renews repeatedly',
    file: 'shared/identity/sessions/rotate-session.ts',
    find: "'#counter = :presented AND #project_id",
    replace: "'(#counter = :presented OR attribute_exists(#pk)) AND #project_id",
    caughtBy: [generation, equalTokens],
  },
  {
    name: 'the previous refresh token is refused',
    file: 'shared/identity/sessions/rotate-session.ts',
    find: 'return session.counter === counter + 1 && age',
    replace: 'return session.counter === counter + 2 && age',
    caughtBy: [punished, generation, equalTokens],
  },
  {
    name: 'the reuse of a refresh token does not end the session',
    file: 'shared/identity/sessions/rotate-session.ts',
    find: '    await revoke(session, now);\n',
    replace: '',
    caughtBy: [signedOut],
  },
  {
    name: 'a write does not recognise its retry',
    file: 'shared/db/transaction.ts',
    find: "if (old?.['write_id'] === write_id) return old as T;",
    replace: '',
    // For the soak it is a 503, after which a client does not know what is written.
    caughtBy: ['reset after it was done: an update adds once and returns the new item'],
    tests: 'test/shared/db/transaction.test.ts',
  },
  {
    name: 'a retried transaction has another token',
    file: 'shared/db/transaction.ts',
    find: '        ClientRequestToken: newWriteToken(),\n',
    replace: '',
    caughtBy: [refused, counts, deleted, lost, ownWrites, punished, signedOut],
  },
  {
    name: 'unprocessed keys of a batch count as missing items',
    file: 'shared/db/batch-loader.ts',
    find: 'request = answer.UnprocessedKeys?.[TableName] ? answer.UnprocessedKeys : undefined;',
    replace: 'request = undefined;',
    caughtBy: [lost, punished, deleted],
  },
  {
    name: 'a list trusts the stale index',
    file: 'shared/workspaces/members/user-workspaces.ts',
    find: 'isLiveIn(project_id, workspace) && member ? [{ workspace, member }] : [];',
    replace:
      "isLiveIn(project_id, workspace) ? [{ workspace, member: member ?? { role: 'member' } }] : [];",
    caughtBy: [deleted, pages],
  },
  {
    name: 'a cursor is valid for another list',
    file: 'shared/http/cursor.ts',
    find: 'JSON.stringify([position, caller, path, filters]);',
    replace: 'JSON.stringify([position, caller, filters]);',
    caughtBy: [pages],
  },
  {
    name: 'a page omits the first element of the next',
    file: 'shared/db/page.ts',
    find: 'const more = begin + limit < all.length;',
    replace: 'const more = begin + limit + 1 < all.length;',
    caughtBy: [pages],
  },
  {
    name: 'a page of members repeats the previous one',
    file: 'shared/db/query.ts',
    find: '...(start && { ExclusiveStartKey: start }),',
    replace: '',
    caughtBy: [pages],
  },
  {
    name: 'a suspended member still has access',
    file: 'shared/roles/principal.ts',
    find: 'if (!member || member.suspended_at !== undefined) return undefined;',
    replace: 'if (!member) return undefined;',
    caughtBy: [ownWrites],
  },
  {
    name: 'a demoted admin still has the rights of an admin',
    file: 'shared/roles/principal.ts',
    find: "return member.role === 'admin' ? 'admin' : 'member';",
    replace: "return 'admin';",
    caughtBy: [ownWrites, refused],
  },
  {
    name: 'an offer remains after its admin is demoted',
    file: 'shared/workspaces/ownership.ts',
    find: 'changes: { set: { modified_at }, remove: offer },',
    replace: 'changes: { set: { modified_at } },',
    caughtBy: [oneOwner],
  },
  {
    name: 'a join link does not count its uses',
    file: 'shared/workspaces/joining/join-links.ts',
    find: '{ add: { use_count: 1 } },',
    replace: '{ add: { use_count: 0 } },',
    caughtBy: [counts],
  },
  {
    name: 'a restored workspace is not counted again',
    file: 'shared/workspaces/delete-workspace.ts',
    find: '        { increment: { owned_workspace_count: 1 } },',
    replace: '        { increment: { owned_workspace_count: 0 } },',
    caughtBy: [counts],
  },
  {
    name: 'modified_at goes back if a clock is behind',
    file: 'shared/db/modified-at.ts',
    find: "where('attribute_not_exists(#modified_at) OR #modified_at <= :latest', { latest: modified_at });",
    replace:
      "where('attribute_not_exists(#modified_at) OR #modified_at <> :latest', { latest: modified_at });",
    caughtBy: [back],
  },
  {
    name: 'the deletion of several workspaces with their owner has one event',
    file: 'shared/db/outbox.ts',
    find: 'return { id: newEventId(now), time',
    replace:
      "return { id: event.type === 'workspace.deleted' ? `evt-${now.getTime()}` : newEventId(now), time",
    caughtBy: [events],
  },
  {
    name: 'the response to an Idempotency-Key is not replayed',
    file: 'shared/http/idempotency-record.ts',
    find: "'attribute_not_exists(#pk) OR #expires_at <= :now'",
    replace: "'attribute_not_exists(#pk) OR attribute_exists(#answer) OR #expires_at <= :now'",
    caughtBy: [sameKey],
  },
  {
    name: 'each event of a user or workspace counts it again',
    file: 'shared/stats/count-events.ts',
    find: 'addDifference(counts.totals, seen?.counted, totals);',
    replace: 'addDifference(counts.totals, {}, totals);',
    caughtBy: [statistics],
  },
];

export const seededBugs: readonly SeededBug[] = [
  ...bugsOfDomains,
  ...bugsOfTheFrame,
  ...bugsOfKeys,
];
