import { keys } from '../../../shared/db/keys.ts';
import { lifetimes, limits } from '../../../shared/model/limits.ts';
import { tokenIn } from '../invitations.ts';
import type { Person, World } from '../world.ts';
import { useMetadata } from './metadata.ts';
import { useRoles } from './role.ts';
import { useSessions } from './session.ts';

type Someone = Pick<Person, 'uid' | 'project'>;
type By = (method: string, path: string, body?: unknown) => Promise<Record<string, never>>;
type Callers = {
  asProject: By;
  asPerson: (person: Someone, ...call: Parameters<By>) => ReturnType<By>;
};

/** Uses every right of the functions of invitations and members, by managers and by invitees. */
export async function useMembership(world: World, { asProject, asPerson }: Callers): Promise<void> {
  await claimDomain(world, asPerson);
  const owner = await world.user({ verified: true });
  const of = { name: 'Membership', owner_id: owner.uid };
  const { workspace_id } = await asProject('POST', '/workspaces', of);
  const path = `/workspaces/${workspace_id}`;
  const invitations = `${path}/invitations`;
  const long = { role: 'member', expires_in: lifetimes.longestInvitation };
  const managers: By[] = [asProject, asPerson.bind(null, owner)];
  for (const by of managers) {
    const invitee = await world.user({ verified: true });
    const { email, uid } = invitee;
    const one = `${invitations}/${uid}`;
    const invite = () => by('POST', invitations, { email, ...long });
    await invite();
    await by('GET', invitations);
    const rows = [{ email: `foreseen-${email}`, role: 'member' }];
    await by('POST', invitations, { invitations: rows, dry_run: true });
    await by('POST', `${one}/resend`);
    await by('DELETE', one);
    await invite();
    await by('DELETE', `${invitations}?email=${email}`);
    await invite();
    await asPerson(invitee, 'DELETE', one);
    const token = tokenIn(String((await invite())['link']));
    const accepting: By = by === asProject ? asProject : asPerson.bind(null, invitee);
    await accepting('POST', '/invitations/accept', { token });
    const member = `${path}/users/${uid}`;
    await by('GET', member);
    for (const suspended of [true, false]) await by('PUT', `${member}/suspension`, { suspended });
    await by('DELETE', member);
  }
  await proveByMail(world, { asProject, asPerson }, invitations, long);
  await makeRoom(world, asProject, String(workspace_id), long);
  // A user whom another user adds is invited.
  await fill(world, asProject, String(workspace_id), long);
  const stranger = await world.user();
  await asPerson(owner, 'POST', `${path}/users`, { user_id: stranger.uid, role: 'member' });
  await asPerson(owner, 'GET', `${path}/users?status=accepted&query=a`);
  for (const active of [workspace_id, `wid-${owner.uid}`])
    await asPerson(owner, 'POST', '/sessions/workspace', { workspace_id: active });
  await useSessions(world, asProject);
  await useMetadata(world, { asProject, asPerson });
  await useRoles(world, { asProject, asPerson });
  const open = await world.newProject({ workspace_creation: 'anyone' });
  await asPerson(await world.user({ project: open }), 'POST', '/workspaces', { name: 'Own' });
}

/** Adds the domain of the user's own e-mail to a workspace, in both ways. */
async function claimDomain(world: World, asPerson: Callers['asPerson']): Promise<void> {
  const owner = await world.user({ verified: true });
  const { workspace_id } = await world.workspace({ owner });
  const path = `/workspaces/${workspace_id}/allowed_domains`;
  await asPerson(owner, 'PUT', `${path}/example.com`, { mode: 'suggest' });
  await asPerson(owner, 'PUT', path, { allowed_domains: [] });
  await asPerson(owner, 'PUT', path, { allowed_domains: ['example.com'] });
}

/** Uses the mailed token of a user with an unverified e-mail. */
async function proveByMail(
  world: World,
  { asProject, asPerson }: Callers,
  invitations: string,
  long: object,
): Promise<void> {
  for (const byProject of [true, false]) {
    const invitee = await world.user({ email: `unproven${byProject}@example.com` });
    await asProject('POST', invitations, { email: invitee.email, ...long });
    await world.drainStream();
    const mail = world.mails().find(({ to }) => to === invitee.email);
    const body = { token: tokenIn(mail?.text) };
    if (byProject) await asProject('POST', '/invitations/accept', body);
    else await asPerson(invitee, 'POST', '/invitations/accept', body);
  }
}

/** An expired invitation makes room for another. */
async function makeRoom(
  world: World,
  asProject: By,
  workspace_id: string,
  long: object,
): Promise<void> {
  await fill(world, asProject, workspace_id, long);
  const next = await world.user();
  const body = { email: next.email, ...long };
  await asProject('POST', `/workspaces/${workspace_id}/invitations`, body);
}

/** Fills a workspace with invitations, one of them expired. */
async function fill(
  world: World,
  asProject: By,
  workspace_id: string,
  long: object,
): Promise<void> {
  const path = `/workspaces/${workspace_id}/invitations`;
  const expiring = await world.user();
  await world.table.update(keys.workspace(workspace_id), { pending_member_count: 0 });
  await asProject('POST', path, { email: expiring.email, ...long });
  await world.table.update(keys.invitation(workspace_id, expiring.uid), {
    invitation_expires_at: '2026-01-01T00:00:00.000Z',
  });
  await world.table.update(keys.workspace(workspace_id), {
    pending_member_count: limits.invitationsPerWorkspace,
  });
}
