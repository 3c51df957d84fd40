import { keys } from '../../../shared/db/keys.ts';
import { lifetimes, limits } from '../../../shared/model/limits.ts';
import type { Person, World } from '../world.ts';

type Someone = Pick<Person, 'uid' | 'project'>;
type By = (method: string, path: string, body?: unknown) => Promise<unknown>;
type Callers = {
  asProject: By;
  asPerson: (person: Someone, ...call: Parameters<By>) => ReturnType<By>;
};

/** In a full workspace, expired invitations, join requests and join links make room for others. */
export async function makeRoom(world: World, { asProject, asPerson }: Callers): Promise<void> {
  const owner = await world.user({ verified: true });
  const { workspace_id } = await world.workspace({ owner });
  const path = `/workspaces/${workspace_id}`;
  const set = (counts: Record<string, number>) =>
    world.table.update(keys.workspace(workspace_id), counts);
  const invite = async () => {
    const { uid, email } = await world.user();
    const long = { role: 'member', expires_in: lifetimes.longestInvitation };
    await asProject('POST', `${path}/invitations`, { email, ...long });
    return uid;
  };
  const fill = async () => {
    await set({ pending_member_count: 0 });
    await world.table.update(keys.invitation(workspace_id, await invite()), {
      invitation_expires_at: '2026-01-01T00:00:00.000Z',
    });
    await set({ pending_member_count: limits.invitationsPerWorkspace });
  };
  const rows = [{ email: 'foreseen@example.com', role: 'member' }];
  await asProject('POST', `${path}/invitations`, { invitations: rows, dry_run: true });
  await fill();
  await invite();
  await fill();
  // A user whom another user adds is invited.
  const { uid: user_id } = await world.user();
  await asPerson(owner, 'POST', `${path}/users`, { user_id, role: 'member' });

  await asProject('PUT', `${path}/allowed_domains/example.com`, { mode: 'suggest' });
  const asker = await world.user({ email: 'asks@example.com', verified: true });
  const ask = () => asPerson(asker, 'POST', `${path}/join_requests`, {});
  const link = () => asProject('POST', `${path}/join_links`, {});
  await link();
  await ask();
  for (const prefix of ['LINK#', 'REQUEST#'])
    for (const item of await world.table.query(`WS#${workspace_id}`, prefix))
      await world.table.put({ ...item, expires_at: 1 });
  await set({ join_link_count: 50, join_request_count: 1_000 });
  await ask();
  await link();
}
