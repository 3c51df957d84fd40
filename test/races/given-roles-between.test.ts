import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { canonicalJson } from '#shared/model/canonical-json.ts';
import { startFaultyWorld } from '../support/faulty-world.ts';
import { ownRoleTools } from '../support/own-roles.ts';

// An assigned role or the workspace's owner changes exactly between the reads and the write of a request.
const { faults, world } = await startFaultyWorld();
const { as } = world;
let count = 0;

/** Requests that assign the role `ws-given`, which is lowered, raised or deleted in between. */
async function givingScene() {
  count += 1;
  const { project, permission, defineOwn, workspace: newWorkspace } = await ownRoleTools(world);
  await permission('vault:open');
  const workspace = await newWorkspace();
  const { workspace_id } = workspace;
  const role = await defineOwn(workspace_id, 'ws-given', []);
  const email = `giver${count}@own.example`;
  const giver = await world.user({ project, email, verified: true });
  await world.member(workspace, 'admin', giver);
  const other = await world.member(workspace);
  const { domains, invitations, workspaceRoles } = as(project);
  await domains.set({ workspace_id, domain: 'asked.example', mode: 'suggest' });
  const asked = { project, email: `asks${count}@asked.example`, verified: true };
  const asker = await world.user(asked);
  await as(asker).joinRequests.create({ workspace_id });
  const [newcomer, guest] = [await world.user({ project }), await world.user({ project })];
  await world.member(await world.workspace({ owner: giver }), 'member', newcomer);
  await invitations.create({ workspace_id, email: guest.email, role });
  const by = (caller: typeof giver | typeof project) => {
    const { members, invitations: invites, joinLinks, joinRequests } = as(caller);
    const add = { workspace_id, user_id: newcomer.uid, role };
    const rows = [1, 2].map((row) => ({ email: `row${row}.${count}@x.example`, role }));
    return {
      'adds a member': () => members.add(add),
      'changes a role': () => members.changeRole({ ...add, user_id: other.uid }),
      invites: () => invites.create({ workspace_id, email: `new${count}@x.example`, role }),
      'invites several': () => invites.create({ workspace_id, invitations: rows }),
      'resends an invitation': () => invites.resend({ workspace_id, user_id: guest.uid }),
      'creates a link': () => joinLinks.create({ workspace_id, role }),
      approves: () => joinRequests.approve({ workspace_id, user_id: asker.uid, role }),
    };
  };
  return {
    ...{ workspace_id, role, project, giver, by },
    between: {
      'is raised': () => defineOwn(workspace_id, role, ['vault:open']),
      'is deleted': async () => {
        // Hides the invitation that is sent again, as a stale index would.
        await world.table.update(keys.workspace(workspace_id), { own_roles: '{}' });
        expect((await workspaceRoles.get({ workspace_id, role })).status).toBe(404);
      },
    },
  };
}
type Giving = Awaited<ReturnType<typeof givingScene>>;
const gifts = [
  ...['adds a member', 'changes a role', 'invites', 'invites several', 'resends an invitation'],
  ...['creates a link', 'approves'],
] as (keyof ReturnType<Giving['by']>)[];

describe.each(gifts)("a request that %s with a role of the workspace's own", (gift) => {
  test.each([
    { event: 'is raised', who: 'giver', expected: [403, 'forbidden'] },
    { event: 'is deleted', who: 'giver', expected: [400, 'invalid_request'] },
    { event: 'is deleted', who: 'project', expected: [400, 'invalid_request'] },
  ] as const)(
    'is refused if the role $event in between ($who)',
    async ({ event, who, expected }) => {
      const scene = await givingScene();
      const partition = `WS#${scene.workspace_id}`;
      const holders = async () =>
        (await world.table.query(partition))
          .filter((item) => item['role'] === scene.role)
          .map((item) => canonicalJson(item))
          .toSorted();
      const before = await holders();
      faults.beforeWrite(scene.between[event]);
      const { status, body } = await scene.by(scene[who])[gift]();
      expect([status, body.code]).toEqual(expected);
      expect(await holders()).toEqual(before);
    },
  );
});

test('a former owner can define and assign only what an admin can', async () => {
  const { project, permission, defineOwn, workspace: newWorkspace } = await ownRoleTools(world);
  await permission('vault:open');
  const workspace = await newWorkspace();
  const { workspace_id, owner } = workspace;
  const role = await defineOwn(workspace_id, 'ws-vault', ['vault:open']);
  const admin = await world.member(workspace, 'admin');
  const other = await world.member(workspace);
  const { workspaceRoles, members, joinLinks, workspaceKeys } = as(owner);
  const permissions = ['vault:open'];
  const requests = [
    () => workspaceRoles.set({ workspace_id, role: 'ws-new', permissions }),
    () => workspaceRoles.set({ workspace_id, role, permissions: [] }),
    () => workspaceRoles.delete({ workspace_id, role }),
    () => members.changeRole({ workspace_id, user_id: other.uid, role }),
    () => joinLinks.create({ workspace_id, role: 'admin' }),
    () => workspaceKeys.create({ workspace_id, name: 'CI', permissions }),
  ];
  const transfer = async (user_id: string) => {
    const { status } = await as(project).ownership.offer({ workspace_id, user_id });
    expect(status).toBeLessThan(300);
  };
  for (const request of requests) {
    faults.beforeWrite(() => transfer(admin.uid));
    const { status, body } = await request();
    expect([status, body.code], String(request)).toEqual([403, 'forbidden']);
    faults.reset();
    await transfer(owner.uid);
  }
});
