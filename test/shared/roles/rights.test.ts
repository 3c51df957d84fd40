import { describe, expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { roleTools } from '../../support/roles.ts';
import { type Person, startWorld } from '../../support/world.ts';

/** The permissions of a member with a role that the project defines. */

const world = await startWorld();
const { as, project } = world;
const { roles, permissions, define } = roleTools(world);

let count = 0;
/** A workspace, and a member with a role that has these permissions. */
async function withRole(...held: string[]) {
  count += 1;
  const role = await define(`role-${count}`, held);
  const workspace = await world.workspace();
  const person = await world.member(workspace, role);
  return { ...workspace, role, person };
}

describe('a role of the project', () => {
  test('is shown with members and workspaces, and can be searched', async () => {
    const { workspace_id, role, person } = await withRole();
    const at = { workspace_id, user_id: person.uid };
    expect((await as(person).members.get(at)).body.role).toBe(role);
    const { body: listed } = await as(person).members.list({ workspace_id, status: 'accepted' });
    expect(listed.result.map((each: { role: string }) => each.role).toSorted()).toEqual(
      ['admin', role].toSorted(),
    );
    const { body: found } = await as(person).workspaces.list({ role });
    expect(found).toMatchObject({ total: 1, result: [{ workspace_id }] });
    expect((await as(person).workspaces.list({ role: 'admin' })).body.total).toBe(0);
  });

  test('ends with a suspension', async () => {
    const { workspace_id, owner, person } = await withRole('workspace:update');
    await as(owner).members.suspend({ workspace_id, user_id: person.uid, suspended: true });
    const refused = await as(person).workspaces.update({ workspace_id, name: 'New' });
    expectProblem(refused, 'not_found');
  });

  test('changes from the next request on: more, less, inherited and no permissions', async () => {
    const { workspace_id, role, person } = await withRole();
    const update = async () =>
      (await as(person).workspaces.update({ workspace_id, name: 'New' })).status;
    expect(await update()).toBe(403);
    await define(role, ['workspace:update']);
    expect(await update()).toBe(200);
    await define(role, []);
    expect(await update()).toBe(403);
    await define('updater', ['workspace:update']);
    await define(role, [], { inherits: ['updater'] });
    expect(await update()).toBe(200);
    await define('updater', []);
    expect(await update()).toBe(403);
    await define(role, [], { inherits: ['admin'] });
    expect(await update()).toBe(200);
    await world.table.delete({ pk: `ROLES#${project.project_id}`, sk: 'ROLES' });
    expect(await update()).toBe(403);
  });

  test('inherits nothing about ownership from admins', async () => {
    const role = await define('like-admin', [], { inherits: ['admin'] });
    const workspace = await world.workspace();
    const { workspace_id, owner } = workspace;
    const person = await world.member(workspace, role);
    const offer = await as(owner).ownership.offer({ workspace_id, user_id: person.uid });
    expectProblem(offer, 'ownership_needs_admin');
    expectProblem(await as(person).ownership.end({ workspace_id }), 'forbidden');
    expectProblem(await as(person).workspaces.delete({ workspace_id }), 'forbidden');
  });

  test("ends an offer of ownership if the admin's role is changed to it", async () => {
    const role = await define('lower', []);
    const workspace = await world.workspace();
    const { workspace_id, owner } = workspace;
    const { uid: user_id } = await world.member(workspace, 'admin');
    await as(owner).ownership.offer({ workspace_id, user_id });
    await as(owner).members.changeRole({ workspace_id, user_id, role });
    expect((await as(owner).workspaces.get({ workspace_id })).body.ownership_offered_to).toBe(
      undefined,
    );
  });
});

/** Every operation that assigns a role, by name: the caller, and a new recipient. */
const doors: Record<string, (by: Person, workspace_id: string, role: string) => Promise<unknown>> =
  {
    add: async (by, workspace_id, role) =>
      as(by).members.add({ workspace_id, user_id: (await world.user()).uid, role }),
    invite: async (by, workspace_id, role) =>
      as(by).invitations.create({ workspace_id, email: (await world.user()).email, role }),
    'invite many': async (by, workspace_id, role) => {
      const { email } = await world.user();
      const invitations = [{ email, role }];
      const { status, body } = await as(by).invitations.create({ workspace_id, invitations });
      const errors = body.errors?.map(({ pointer = '' }) => ({
        pointer: pointer.replace('/invitations/0', ''),
      }));
      return { status, body: { ...body, errors } };
    },
    link: (by, workspace_id, role) => as(by).joinLinks.create({ workspace_id, role }),
    approve: async (by, workspace_id, role) => {
      count += 1;
      const email = `asker${count}@example.com`;
      const asker = await world.user({ email, verified: true });
      await as(project).domains.set({ workspace_id, domain: 'example.com', mode: 'suggest' });
      await as(asker).joinRequests.create({ workspace_id });
      return as(by).joinRequests.approve({ workspace_id, user_id: asker.uid, role });
    },
    'change role': async (by, workspace_id, role) => {
      const { uid: user_id } = await world.user();
      await as(project).members.add({ workspace_id, user_id, role: 'member' });
      return as(by).members.changeRole({ workspace_id, user_id, role });
    },
  };
const allDoors = [
  ...['member:add', 'invitation:create', 'join-link:create', 'join-request:approve'],
] as const;
type Given = { status: number; body: { code?: string; missing?: string[]; errors?: object[] } };

describe.each(Object.keys(doors))('nobody gives more than they have: %s', (name) => {
  const give = (by: Person, workspace_id: string, role: string) =>
    doors[name]?.(by, workspace_id, role) as Promise<Given>;

  test('400 for an unknown role', async () => {
    const { workspace_id, owner } = await world.workspace();
    for (const role of ['ghost', 'owner', 'constructor']) {
      const { status, body } = await give(owner, workspace_id, role);
      expect([status, body.errors]).toMatchObject([400, [{ pointer: '/body/role' }]]);
    }
  });

  test('a user with a role of the project gives a role with no more permissions, if they may change roles', async () => {
    const lower = await define('lower', ['invoice:read']);
    const { workspace_id, person, role } = await withRole(
      ...allDoors,
      ...['member:change-role', 'invoice:read'],
    );
    expect((await give(person, workspace_id, lower)).status).toBeLessThan(300);
    const higher = await define('higher', ['invoice:pay', 'invoice:read', 'event:list']);
    for (const [more, missing] of [
      [higher, ['event:list', 'invoice:pay']],
      ['admin', expect.arrayContaining(['ownership:accept', 'workspace:update'])],
    ] as const) {
      const { status, body } = await give(person, workspace_id, more);
      expect([status, body.code, body.missing]).toEqual([403, 'forbidden', missing]);
    }
    await define(role, [...allDoors, 'invoice:read']);
    const { status, body } = await give(person, workspace_id, lower);
    // `changeRole` is that permission itself; the other operations create members without it.
    const missing = name === 'change role' ? undefined : ['member:change-role'];
    expect([status, body.missing]).toEqual([403, missing]);
    const asMember = await give(person, workspace_id, 'member');
    expect(asMember.status < 300).toBe(name !== 'change role');
  });
});

describe('a user with a role of the project', () => {
  /** Roles that may do more than one with `invoice:read`, and no more: each with the status for who manages its holder. */
  const ranked = async () =>
    [
      ['admin', 403],
      [await define('higher', ['invoice:pay', 'invoice:read']), 403],
      [await define('lower', ['invoice:read']), 200],
      ['member', 200],
    ] as const;

  test('403 cannot change, suspend or remove a member with more permissions, but one with no more', async () => {
    const managing = ['member:change-role', 'member:suspend', 'member:remove', 'invoice:read'];
    const { workspace_id, owner, person } = await withRole(...managing);
    const workspace = { workspace_id, owner };
    const { members } = as(person);
    for (const [role, status] of await ranked()) {
      const { uid: user_id } = await world.member(workspace, role);
      const at = { workspace_id, user_id };
      const answers = [
        await members.suspend({ ...at, suspended: true }),
        await members.changeRole({ ...at, role: 'member' }),
        await members.remove(at),
      ];
      expect(answers.map((each) => each.status)).toEqual([status, status, status]);
    }
    for (const refused of [
      await members.remove({ workspace_id, user_id: owner.uid }),
      await members.suspend({ workspace_id, user_id: owner.uid, suspended: true }),
    ])
      expectProblem(refused, 'forbidden', { missing: expect.anything() });
  });

  test('200 can give up the role and leave', async () => {
    const { workspace_id, person } = await withRole('member:change-role');
    const at = { workspace_id, user_id: person.uid };
    expect((await as(person).members.changeRole({ ...at, role: 'member' })).status).toBe(200);
    expectProblem(await as(person).members.changeRole({ ...at, role: 'member' }), 'forbidden');
    expect((await as(person).members.remove(at)).status).toBe(200);
  });

  test('403 cannot revoke an invitation to a role with more permissions, but to one with no more', async () => {
    const { workspace_id, owner, person } = await withRole('invitation:revoke', 'invoice:read');
    const { end, endByEmail } = as(person).invitations;
    for (const [role, status] of await ranked()) {
      const invite = () => world.invited({ workspace_id, owner }, role);
      const [byId, byEmail] = [await invite(), await invite()];
      const answers = [
        await end({ workspace_id, user_id: byId.uid }),
        await endByEmail({ workspace_id, email: byEmail.email }),
      ];
      expect(answers.map((each) => each.status)).toEqual([status, status]);
      const declined = await as(byId).invitations.end({ workspace_id, user_id: byId.uid });
      expect(declined.status).toBe(status === 403 ? 200 : 404);
    }
  });

  test('403 cannot end an invitation to a role with more permissions by adding the user, nor by approving their request', async () => {
    const { workspace_id, owner, person } = await withRole(
      ...['member:add', 'join-request:approve', 'invoice:read'],
    );
    const common = await world.workspace({ owner: person });
    const domain = 'asked-and-invited.com';
    await as(project).domains.set({ workspace_id, domain, mode: 'suggest' });
    for (const [role, status] of await ranked()) {
      const known = await world.member(common);
      const asker = await world.user({ email: `${role}@${domain}`, verified: true });
      await as(asker).joinRequests.create({ workspace_id });
      for (const guest of [known, asker]) await world.invited({ workspace_id, owner }, role, guest);
      const added = { workspace_id, user_id: known.uid, role: 'member' } as const;
      const approved = { workspace_id, user_id: asker.uid };
      const answers = [
        await as(person).members.add(added),
        await as(person).joinRequests.approve(approved),
      ];
      expect(answers.map((each) => each.status)).toEqual(status === 200 ? [201, 201] : [403, 403]);
      const { body } = await as(owner).invitations.list({ workspace_id });
      const left = body.result.filter((each: { user_id: string }) =>
        [known.uid, asker.uid].includes(each.user_id),
      );
      const expected = { role, state: 'pending' };
      expect(left).toMatchObject(status === 200 ? [] : [expected, expected]);
    }
  });

  test('409 cannot replace an invitation to a role with more permissions by inviting an address that the user has since', async () => {
    const { workspace_id, owner, person } = await withRole('invitation:create', 'invoice:read');
    for (const [role, status] of await ranked()) {
      const { uid } = await world.invited({ workspace_id, owner }, role);
      const email = `since-${role}@moved.example.com`;
      await as(project).users.update({ uid, email, email_verified: true });
      const invited = { email, role: 'member' } as const;
      const several = { workspace_id, invitations: [invited], dry_run: true };
      const { body: foreseen } = await as(person).invitations.create(several);
      const invitation = await as(person).invitations.create({ workspace_id, ...invited });
      const conflict = 'invitation_exists';
      // The former address is not shown.
      const outcome = status === 200 ? 'invited' : conflict;
      expect(foreseen.results[0], role).toEqual({ ...invited, outcome });
      if (status === 200) expect(invitation.status).toBe(201);
      else expectProblem(invitation, conflict, { user_id: uid, member_id: expect.any(String) });
      const { body } = await as(owner).invitations.list({ workspace_id });
      const stored = body.result.find((each: { user_id: string }) => each.user_id === uid);
      expect(stored.role).toBe(status === 200 ? 'member' : role);
    }
  });

  test('403 cannot resend an invitation to a role with more permissions', async () => {
    const { workspace_id, owner, person } = await withRole('invitation:resend');
    const invited = await world.invited({ workspace_id, owner }, 'admin');
    const resend = (by: Person, user_id: string) =>
      as(by).invitations.resend({ workspace_id, user_id });
    expectProblem(await resend(person, invited.uid), 'forbidden', { missing: expect.anything() });
    expect((await resend(owner, invited.uid)).status).toBe(200);
    const other = await world.invited({ workspace_id, owner });
    expect((await resend(person, other.uid)).status).toBe(200);
  });
});

describe('a join link', () => {
  const join = (workspace_id: string, person: Person, join_token: string) =>
    as(person).members.join({ workspace_id, user_id: person.uid, join_token });

  test('201 gives its role, and the index of roles in use has the member', async () => {
    const role = await define('reader', ['invoice:read']);
    const { workspace_id } = await world.workspace();
    const { body } = await as(project).joinLinks.create({ workspace_id, role });
    const ada = await world.user();
    expect((await join(workspace_id, ada, body.token)).body.role).toBe(role);
    await as(project).joinLinks.revoke({ workspace_id, link_id: body.link_id });
    expectProblem(await roles.delete({ role }), 'role_in_use', { member_count: 1 });
  });

  test('403 to a managing role needs the owner, and works while they own the workspace', async () => {
    const role = await define('manager', ['member:add', 'member:change-role', 'join-link:create']);
    const workspace = await world.workspace();
    const { workspace_id, owner } = workspace;
    const admin = await world.member(workspace, 'admin');
    const manager = await world.member(workspace, role);
    for (const by of [admin, manager])
      expectProblem(await as(by).joinLinks.create({ workspace_id, role }), 'forbidden');
    const { body } = await as(owner).joinLinks.create({ workspace_id, role });
    expect((await join(workspace_id, await world.user(), body.token)).status).toBe(201);
    await as(project).ownership.offer({ workspace_id, user_id: admin.uid });
    expectProblem(await join(workspace_id, await world.user(), body.token), 'join_link_invalid');
  });

  test('works only while its creator may make it and has the permissions that it gives', async () => {
    const held = ['join-link:create', 'member:change-role', 'invoice:read'];
    const { workspace_id, person, role } = await withRole(...held);
    const given = await define('given', ['invoice:read']);
    const { body } = await as(person).joinLinks.create({ workspace_id, role: given });
    const status = async () => (await join(workspace_id, await world.user(), body.token)).status;
    expect(await status()).toBe(201);
    for (const lost of held) {
      await define(
        role,
        held.filter((each) => each !== lost),
      );
      expect([lost, await status()]).toEqual([lost, 400]);
    }
    await define(role, held);
    expect(await status()).toBe(201);
    // The role of the link gains more permissions than its creator has.
    await define(given, ['invoice:read', 'invoice:pay']);
    expect(await status()).toBe(400);
    await define(given, ['event:list']);
    expect(await status()).toBe(400);
  });

  test('400 to a role that was deleted', async () => {
    const role = await define('short', []);
    const { workspace_id } = await world.workspace();
    const { body } = await as(project).joinLinks.create({ workspace_id, role });
    const pk = `WS#${workspace_id}`;
    // As if the index did not show it yet.
    await world.table.update({ pk, sk: `LINK#${body.link_id}` }, { by_email_pk: 'ROLE#x' });
    expect((await roles.delete({ role })).status).toBe(200);
    expectProblem(await join(workspace_id, await world.user(), body.token), 'join_link_invalid');
  });

  test('201 an invited user joins with the link of a member who may not revoke the invitation', async () => {
    const { workspace_id, owner, person } = await withRole('join-link:create');
    const guest = await world.invited({ workspace_id, owner }, 'admin');
    const { body } = await as(person).joinLinks.create({ workspace_id, role: 'member' });
    expect((await join(workspace_id, guest, body.token)).body.role).toBe('admin');
  });

  test('201 an invited user keeps the custom role of the invitation, unless the link makes admins', async () => {
    const invited = await define('invited-as', []);
    const linked = await define('linked-as', []);
    for (const [of, by, expected] of [
      [invited, linked, invited],
      ['member', linked, linked],
      [invited, 'admin', 'admin'],
      ['admin', linked, 'admin'],
    ] as const) {
      const workspace = await world.workspace();
      const { workspace_id } = workspace;
      const person = await world.invited(workspace, of);
      const { body } = await as(project).joinLinks.create({ workspace_id, role: by });
      expect((await join(workspace_id, person, body.token)).body.role).toBe(expected);
    }
  });
});

test('201 an invitation gives its role even if its inviter has lost theirs', async () => {
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  for (const role of ['admin', await define('editor', [])]) {
    const inviter = await world.member(workspace, 'admin');
    const guest = await world.user({ verified: true });
    const { email, uid: user_id } = guest;
    await as(inviter).invitations.create({ workspace_id, email, role });
    await as(project).members.remove({ workspace_id, user_id: inviter.uid });
    const { status, body } = await as(guest).members.join({ workspace_id, user_id });
    expect([status, body.role, body.inviter_id]).toEqual([201, role, inviter.uid]);
  }
});

test('a role of one project does not exist in another', async () => {
  const role = await define('only-here', []);
  const other = await world.newProject();
  const workspace = await world.workspace({ owner: await world.user({ project: other }) });
  const { uid: user_id } = await world.user({ project: other });
  const added = await as(workspace.owner).members.add({
    ...{ workspace_id: workspace.workspace_id, user_id, role },
  });
  expect([added.status, added.body.errors?.[0]?.pointer]).toEqual([400, '/body/role']);
  expect((await permissions.list()).status).toBe(200);
});
