import { equal, ok } from 'node:assert/strict';
import { domainRecord } from '../../../shared/workspaces/domains/modes.ts';
import { newPerson, type Person, type World } from '../world.ts';
import { fails } from './accounts.ts';

export type Team = { workspace_id: string; owner: Person; member: Person };

/** A workspace from its creation to its restoration, with every method of joining; returns the remaining data. */
export async function workspaces(world: World): Promise<Team> {
  const { checks, backend } = world;
  const owner = await newPerson(world, 'owner@team.example');
  const member = await newPerson(world, 'member@team.example');

  const workspace_id = await checks.check(
    'a workspace is created once per Idempotency-Key',
    async () => {
      const idempotencyKey = crypto.randomUUID();
      const create = () =>
        backend.workspaces.create({ name: 'Engines', owner_id: owner.uid }, { idempotencyKey });
      const { body } = await create();
      equal((await create()).body.workspace_id, body.workspace_id);
      equal((await owner.client.workspaces.list({})).body.total, 1);
      return body.workspace_id;
    },
  );
  await checks.check('the workspace is read, changed, deleted and restored', async () => {
    const { headers } = await owner.client.workspaces.get({ workspace_id });
    const { body } = await owner.client.workspaces.update(
      { workspace_id, description: 'Analytical' },
      { ifMatch: headers.get('etag') ?? '' },
    );
    equal(body.description, 'Analytical');
    await backend.workspaces.setMetadata({ workspace_id, app_metadata: { plan: 'free' } });
    await backend.workspaces.mergeMetadata({ workspace_id, app_metadata: { plan: 'team' } });
    const metadata = (await owner.client.workspaces.getMetadata({ workspace_id })).body;
    equal(metadata.app_metadata?.['plan'], 'team');
    ok((await owner.client.workspaces.delete({ workspace_id })).body.deleted_at);
    await fails(owner.client.workspaces.get({ workspace_id }), 404);
    await owner.client.workspaces.restore({ workspace_id });
    equal((await owner.client.workspaces.get({ workspace_id })).body.total_member_count, 1);
  });
  await checks.check('members are added, promoted, suspended and removed', async () => {
    const of = { workspace_id, user_id: member.uid };
    await backend.members.add({ ...of, role: 'member' });
    equal((await owner.client.members.list({ workspace_id, status: 'accepted' })).body.total, 2);
    const joined = await member.client.workspaces.listJoined({});
    equal(joined.body[0]?.workspace_id, workspace_id);
    await owner.client.members.suspend({ ...of, suspended: true });
    await fails(member.client.workspaces.get({ workspace_id }), 404);
    await owner.client.members.suspend({ ...of, suspended: false });
    equal((await member.client.members.get(of)).body.status, 'accepted');
    await backend.members.setMetadata({ ...of, app_metadata: { desk: 1 } });
    await backend.members.mergeMetadata({ ...of, app_metadata: { floor: 2 } });
    const { app_metadata: placed } = (await member.client.members.get(of)).body;
    equal([placed?.['desk'], placed?.['floor']].join(), '1,2');
    equal((await owner.client.members.changeRole({ ...of, role: 'admin' })).body.role, 'admin');
  });
  await checks.check('a session chooses the active workspace, which its tokens name', async () => {
    const { body } = await member.client.sessions.selectWorkspace({ workspace_id });
    equal(body.workspace_role, 'admin');
    const { access_token: token } = body;
    const shown = (await backend.sessions.introspect({ token })).body;
    equal(shown.active && shown.workspace_id, workspace_id);
  });
  await checks.check('the ownership is offered, declined, offered and accepted', async () => {
    const offer = { workspace_id, user_id: member.uid };
    await owner.client.ownership.offer(offer);
    await member.client.ownership.end({ workspace_id });
    await owner.client.ownership.offer(offer);
    const { body } = await member.client.ownership.accept({ workspace_id });
    equal(body.owner_id, member.uid);
    await backend.ownership.offer({ workspace_id, user_id: owner.uid });
    equal((await backend.workspaces.get({ workspace_id })).body.owner_id, owner.uid);
  });
  const team = { workspace_id, owner, member };
  await invitations(world, team);
  await joining(world, team);
  await checks.check('a removed member has no access from the next request', async () => {
    const leaving = await newPerson(world, 'leaving@elsewhere.example');
    const of = { workspace_id, user_id: leaving.uid };
    await backend.members.add({ ...of, role: 'member' });
    await leaving.client.workspaces.get({ workspace_id });
    await owner.client.members.remove(of);
    await fails(leaving.client.workspaces.get({ workspace_id }), 404);
  });
  return team;
}

async function invitations(world: World, { workspace_id, owner }: Team): Promise<void> {
  const { checks, backend, mailbox } = world;
  await checks.check('an invitation is mailed, resent, read and accepted', async () => {
    const email = 'charles@elsewhere.example';
    const { status } = await owner.client.invitations.create({
      ...{ workspace_id, email, role: 'member', message: 'Come along' },
    });
    equal(status, 201);
    await mailbox.nextToken(email);
    const charles = await newPerson(world, email);
    const { body } = await charles.client.workspaces.listInvited({});
    equal(body.invited_workspaces[0]?.workspace_id, workspace_id);
    await owner.client.invitations.resend({ workspace_id, user_id: charles.uid });
    const token = await mailbox.nextToken(email);
    equal((await charles.client.invitations.accept({ token })).body.status, 'accepted');
  });
  await checks.check('invitations are listed, revoked and declined', async () => {
    const rows = ['first@elsewhere.example', 'second@elsewhere.example'].map((email) => ({
      ...{ email, role: 'member' as const },
    }));
    const { body } = await backend.invitations.create({
      ...{ workspace_id, invitations: rows, send_mail: false },
    });
    ok('invited' in body);
    equal(body.invited, 2);
    const list = await owner.client.invitations.list({ workspace_id });
    equal(list.body.total, 2);
    await owner.client.invitations.endByEmail({ workspace_id, email: 'first@elsewhere.example' });
    const second = await newPerson(world, 'second@elsewhere.example');
    await second.client.invitations.end({ workspace_id, user_id: second.uid });
    equal((await owner.client.invitations.list({ workspace_id })).body.total, 0);
  });
}

async function joining(world: World, { workspace_id, owner }: Team): Promise<void> {
  const { checks, backend, names, project } = world;
  const domain = 'team.example';
  await checks.check('a domain is proven by its DNS record', async () => {
    const of = { workspace_id, domain };
    await fails(owner.client.domains.prove(of), 409);
    const record = domainRecord({ project_id: project.project_id, workspace_id }, domain);
    names.publish(record.name, record.value);
    ok((await owner.client.domains.prove(of)).body.proven_at);
    await owner.client.domains.set({ ...of, mode: 'suggest' });
    const { body } = await owner.client.domains.list({ workspace_id });
    equal(body.result[0]?.mode, 'suggest');
  });
  await checks.check('users at a domain ask to join, and are admitted or refused', async () => {
    const asking = await newPerson(world, 'asking@team.example');
    const refused = await newPerson(world, 'refused@team.example');
    for (const { client } of [asking, refused]) await client.joinRequests.create({ workspace_id });
    equal((await owner.client.joinRequests.list({ workspace_id })).body.total, 2);
    await owner.client.joinRequests.approve({ workspace_id, user_id: asking.uid });
    await owner.client.joinRequests.delete({ workspace_id, user_id: refused.uid });
    await asking.client.workspaces.get({ workspace_id });
  });
  await checks.check(
    'users join by an allowed domain and by a link, until it is revoked',
    async () => {
      await backend.workspaces.setAllowedDomains({ workspace_id, allowed_domains: [domain] });
      const colleague = await newPerson(world, 'colleague@team.example');
      await owner.client.domains.set({ workspace_id, domain, mode: 'auto' });
      await colleague.client.members.join({ workspace_id, user_id: colleague.uid });
      const { body: link } = await owner.client.joinLinks.create({ workspace_id });
      const guest = await newPerson(world, 'guest@elsewhere.example');
      const join = { workspace_id, join_token: link.token };
      await guest.client.members.join({ ...join, user_id: guest.uid });
      const { body } = await owner.client.joinLinks.list({ workspace_id });
      equal(body.result[0]?.use_count, 1);
      await owner.client.joinLinks.revoke({ workspace_id, link_id: link.link_id });
      const late = await newPerson(world, 'late@elsewhere.example');
      await fails(late.client.members.join({ ...join, user_id: late.uid }), 400);
    },
  );
}
