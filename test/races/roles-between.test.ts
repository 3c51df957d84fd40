import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { canonicalJson } from '#shared/model/canonical-json.ts';
import { doneAfter } from '../faults/fault.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { ownRoleTools } from '../support/own-roles.ts';

// A role is lowered, or taken away, exactly between what a request reads and what it writes.
const { faults, world } = await startFaultyWorld();
const { as } = world;

const managing = [
  ...['member:add', 'member:change-role', 'member:suspend', 'member:remove', 'invitation:create'],
  ...['invitation:resend', 'invitation:revoke', 'join-link:create', 'join-link:revoke'],
  ...['join-request:approve', 'join-request:refuse', 'workspace:set-domains'],
];
let count = 0;

/** @param own whether the manager has a role of the workspace's own, instead of one of the project */
async function scene(own = false) {
  count += 1;
  // Of its own: a project has 50 roles.
  const { project, define, defineOwn, workspace: newWorkspace } = await ownRoleTools(world);
  const workspace = await newWorkspace();
  const { workspace_id, owner } = workspace;
  const base = await define(`base-${count}`, managing);
  const role = own
    ? await defineOwn(workspace_id, 'ws-manager', managing)
    : await define(`manager-${count}`, [], { inherits: [base] });
  const lower = own
    ? await defineOwn(workspace_id, 'ws-lower', [])
    : await define(`lower-${count}`, []);
  const manager = await world.user({
    project,
    email: `manager${count}@own.example`,
    verified: true,
  });
  await world.member(workspace, role, manager);
  const other = await world.member(workspace);
  const email = `asker${count}@asked.example`;
  const asker = await world.user({ project, email, verified: true });
  const { domains, joinLinks, invitations, members } = as(project);
  await domains.set({ workspace_id, domain: 'asked.example', mode: 'suggest' });
  await as(asker).joinRequests.create({ workspace_id });
  const guest = await world.user({ project });
  await invitations.create({ workspace_id, email: guest.email, role: 'member' });
  const { body: link } = await joinLinks.create({ workspace_id });
  const newcomer = await world.user({ project });
  // Whoever shares a workspace may be added.
  await world.member(await world.workspace({ owner: manager }), 'member', newcomer);
  const { body: made } = await as(manager).joinLinks.create({ workspace_id });
  const join_token = String(made.token);
  const by = as(manager);
  const at = { workspace_id, user_id: other.uid };
  return {
    workspace_id,
    define: (name: string, held: string[]) =>
      own ? defineOwn(workspace_id, `ws-${name}`, held) : define(name, held),
    requests: {
      'adds a member': () =>
        by.members.add({ workspace_id, user_id: newcomer.uid, role: 'member' }),
      'changes a role': () => by.members.changeRole({ ...at, role: lower }),
      suspends: () => by.members.suspend({ ...at, suspended: true }),
      removes: () => by.members.remove(at),
      invites: () =>
        by.invitations.create({ workspace_id, email: `new${count}@x.example`, role: lower }),
      'sends again': () => by.invitations.resend({ workspace_id, user_id: guest.uid }),
      'revokes an invitation': () => by.invitations.end({ workspace_id, user_id: guest.uid }),
      'makes a link': () => by.joinLinks.create({ workspace_id }),
      'revokes a link': () => by.joinLinks.revoke({ workspace_id, link_id: link.link_id }),
      approves: () => by.joinRequests.approve({ workspace_id, user_id: asker.uid, role: lower }),
      'refuses a request': () => by.joinRequests.delete({ workspace_id, user_id: asker.uid }),
      'sets domains': () =>
        by.workspaces.setAllowedDomains({ workspace_id, allowed_domains: ['own.example'] }),
      'is joined by their link': () =>
        as(newcomer).members.join({ workspace_id, user_id: newcomer.uid, join_token }),
    },
    between: {
      'the role is lowered': () => (own ? defineOwn(workspace_id, role, []) : define(role, [])),
      'what it inherits is lowered': () => define(base, []),
      'they get another role': () =>
        members.changeRole({ workspace_id, user_id: manager.uid, role: lower }),
      'they are suspended': () =>
        as(owner).members.suspend({ workspace_id, user_id: manager.uid, suspended: true }),
      'they are removed': () => as(owner).members.remove({ workspace_id, user_id: manager.uid }),
    },
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const requests = [
  ...['adds a member', 'changes a role', 'suspends', 'removes', 'invites', 'sends again'],
  ...['revokes an invitation', 'makes a link', 'revokes a link', 'approves', 'refuses a request'],
  ...['sets domains', 'is joined by their link'],
] as (keyof Scene['requests'])[];
const between = [
  ...['the role is lowered', 'what it inherits is lowered', 'they get another role'],
  ...['they are suspended', 'they are removed'],
] as (keyof Scene['between'])[];

const kinds = [
  { of: 'the project', own: false },
  { of: "the workspace's own", own: true },
];
const cases = requests.flatMap((request) => kinds.map((kind) => ({ request, ...kind })));
describe.each(cases)('whoever $request by a role of $of', ({ request, own }) => {
  const happening = between.filter((event) => !own || event !== 'what it inherits is lowered');
  test.each(happening)('and in between %s: is refused, and nothing is done', async (event) => {
    const { requests: all, between: events, workspace_id } = await scene(own);
    const partition = `WS#${workspace_id}`;
    const state = async () => {
      const items = await world.table.query(partition);
      return items
        .filter(({ sk }) => sk !== keys.workspace('').sk)
        .map((item) => canonicalJson(item))
        .toSorted();
    };
    let after: string[] = [];
    let writes = 0;
    faults.inject(
      doneAfter(async () => {
        await events[event]();
        after = await state();
      }),
      {
        when: ({ operation }) => {
          if (operation !== 'TransactWriteItems') return false;
          writes += 1;
          return writes === 1;
        },
      },
    );
    const { status, body } = await all[request]();
    expect([body.code, [400, 403, 404]]).toEqual([
      request === 'is joined by their link'
        ? 'join_link_invalid'
        : expect.stringMatching(/^(?:forbidden|not_found)$/),
      expect.arrayContaining([status]),
    ]);
    expect(await state()).toEqual(after);
  });

  test('and in between another role changes: is done', async () => {
    const { requests: all, define } = await scene(own);
    faults.inject(
      doneAfter(() => define(`unrelated-${count}`, ['event:list'])),
      { when: ({ operation }) => operation === 'TransactWriteItems' },
    );
    const { status } = await all[request]();
    expect(status).toBeLessThan(300);
  });
});
