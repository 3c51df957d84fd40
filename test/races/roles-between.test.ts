import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { canonicalJson } from '#shared/model/canonical-json.ts';
import { doneAfter, isTransaction } from '../faults/fault.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { ownRoleTools } from '../support/own-roles.ts';

// A role is lowered or removed exactly between the reads and the write of a request.
const { faults, world } = await startFaultyWorld();
const { as } = world;

const managing = [
  ...['member:add', 'member:change-role', 'member:suspend', 'member:remove', 'invitation:create'],
  ...['invitation:resend', 'invitation:revoke', 'join-link:create', 'join-link:revoke'],
  ...['join-request:approve', 'join-request:refuse', 'workspace:set-domains'],
];
/**
 * A workspace, a manager, and the targets of all requests. All requests share it, because a rejected request changes
 * nothing and each event can be undone.
 * @param own whether the manager has a role of the workspace, instead of one of the project
 */
async function scene(own: boolean) {
  const { project, define, defineOwn, workspace: newWorkspace } = await ownRoleTools(world);
  const workspace = await newWorkspace();
  const { workspace_id, owner } = workspace;
  const base = await define('base', managing);
  const defineManager = () =>
    own
      ? defineOwn(workspace_id, 'ws-manager', managing)
      : define('manager', [], { inherits: [base] });
  const role = await defineManager();
  const lower = own ? await defineOwn(workspace_id, 'ws-lower', []) : await define('lower', []);
  const user = (email: string) => world.user({ project, email, verified: true });
  const manager = await user('manager@own.example');
  await world.member(workspace, role, manager);
  const other = await world.member(workspace);
  const { domains, joinLinks, invitations, members } = as(project);
  await domains.set({ workspace_id, domain: 'asked.example', mode: 'suggest' });
  const [approved, refused] = [await user('a@asked.example'), await user('b@asked.example')];
  for (const asker of [approved, refused]) await as(asker).joinRequests.create({ workspace_id });
  const guest = await world.user({ project });
  await invitations.create({ workspace_id, email: guest.email, role: 'member' });
  const { body: link } = await joinLinks.create({ workspace_id });
  const [added, joining] = [await world.user({ project }), await world.user({ project })];
  // Users who share a workspace may be added.
  await world.member(await world.workspace({ owner: manager }), 'member', added);
  const { body: made } = await as(manager).joinLinks.create({ workspace_id });
  const join_token = String(made.token);
  const by = as(manager);
  const at = { workspace_id, user_id: other.uid };
  const theManager = { workspace_id, user_id: manager.uid };
  const suspend = (suspended: boolean) => as(owner).members.suspend({ ...theManager, suspended });
  return {
    workspace_id,
    defineUnrelated: (held: string[]) =>
      own ? defineOwn(workspace_id, 'ws-unrelated', held) : define('unrelated', held),
    requests: {
      'adds a member': () => by.members.add({ workspace_id, user_id: added.uid, role: 'member' }),
      'changes a role': () => by.members.changeRole({ ...at, role: lower }),
      suspends: () => by.members.suspend({ ...at, suspended: true }),
      removes: () => by.members.remove(at),
      invites: () => by.invitations.create({ workspace_id, email: 'new@x.example', role: lower }),
      'resends an invitation': () => by.invitations.resend({ workspace_id, user_id: guest.uid }),
      'revokes an invitation': () => by.invitations.end({ workspace_id, user_id: guest.uid }),
      'creates a link': () => by.joinLinks.create({ workspace_id }),
      'revokes a link': () => by.joinLinks.revoke({ workspace_id, link_id: link.link_id }),
      approves: () => by.joinRequests.approve({ workspace_id, user_id: approved.uid, role: lower }),
      'refuses a request': () => by.joinRequests.delete({ workspace_id, user_id: refused.uid }),
      'sets domains': () =>
        by.workspaces.setAllowedDomains({ workspace_id, allowed_domains: ['own.example'] }),
      'is joined by their link': () =>
        as(joining).members.join({ workspace_id, user_id: joining.uid, join_token }),
    },
    between: {
      'the role is lowered': {
        happen: () => (own ? defineOwn(workspace_id, role, []) : define(role, [])),
        undo: defineManager,
      },
      'an inherited role is lowered': {
        happen: () => define(base, []),
        undo: () => define(base, managing),
      },
      'they get another role': {
        happen: () => members.changeRole({ ...theManager, role: lower }),
        undo: () => members.changeRole({ ...theManager, role }),
      },
      'they are suspended': { happen: () => suspend(true), undo: () => suspend(false) },
      'they are removed': {
        happen: () => as(owner).members.remove(theManager),
        undo: () => members.add({ ...theManager, role }),
      },
    },
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

// In an order in which no request removes the target of a later one.
const requests = [
  ...['adds a member', 'changes a role', 'suspends', 'removes', 'invites', 'resends an invitation'],
  ...['revokes an invitation', 'creates a link', 'revokes a link', 'approves', 'refuses a request'],
  ...['sets domains', 'is joined by their link'],
] as (keyof Scene['requests'])[];
const between = [
  ...['the role is lowered', 'an inherited role is lowered', 'they get another role'],
  ...['they are suspended', 'they are removed'],
] as (keyof Scene['between'])[];

describe.each([
  { of: 'the project', own: false },
  { of: "the workspace's own", own: true },
])('by a role of $of', ({ own }) => {
  let all: Scene;
  beforeAll(async () => {
    all = await scene(own);
  });
  /** The items of the workspace, without the counters of its own item. */
  const state = async () => {
    const items = await world.table.query(`WS#${all.workspace_id}`);
    return items
      .filter(({ sk }) => sk !== keys.workspace('').sk)
      .map((item) => canonicalJson(item))
      .toSorted();
  };
  const happening = between.filter((event) => !own || event !== 'an inherited role is lowered');
  const refusals = requests.flatMap((request) => happening.map((event) => ({ request, event })));

  test.each(refusals)(
    'a manager who $request, and in between $event: is refused, and nothing is changed',
    async ({ request, event }) => {
      const { happen, undo } = all.between[event];
      onTestFinished(async () => void (await undo()));
      let after: string[] = [];
      const change = doneAfter(async () => {
        await happen();
        after = await state();
      });
      faults.inject(change, { when: isTransaction });
      const { status, body } = await all.requests[request]();
      expect([body.code, [400, 403, 404]]).toEqual([
        request === 'is joined by their link'
          ? 'join_link_invalid'
          : expect.stringMatching(/^(?:forbidden|not_found)$/),
        expect.arrayContaining([status]),
      ]);
      expect(await state()).toEqual(after);
    },
  );

  test.each(requests)(
    'a manager who %s while an unrelated role changes: succeeds',
    async (request) => {
      let changed = false;
      const change = doneAfter(async () => {
        await all.defineUnrelated(requests.indexOf(request) % 2 === 0 ? ['event:list'] : []);
        changed = true;
      });
      faults.inject(change, { when: isTransaction });
      const { status } = await all.requests[request]();
      expect([changed, status < 300]).toEqual([true, true]);
    },
  );
});
