import { startNameServer } from '../name-server.ts';
import type { Person, World } from '../world.ts';

type Someone = Pick<Person, 'uid' | 'project'>;
type By = (method: string, path: string, body?: unknown) => Promise<Record<string, never>>;
type Callers = {
  asProject: By;
  asPerson: (person: Someone, ...call: Parameters<By>) => ReturnType<By>;
};

const managing = [
  ...['workspace:update', 'workspace:read-metadata', 'workspace:set-domains', 'event:list'],
  ...['domain:list', 'domain:prove', 'member:list-pending', 'member:add', 'member:change-role'],
  ...['member:suspend', 'member:remove', 'invitation:create', 'invitation:list'],
  ...['invitation:resend', 'invitation:revoke', 'join-link:create', 'join-link:list'],
  ...['join-link:revoke', 'join-request:list', 'join-request:approve', 'join-request:refuse'],
];

/** Uses the rights of a member with a role of the project: the permission is read, and checked again at commit. */
export async function useRoles(world: World, { asProject, asPerson }: Callers): Promise<void> {
  await asProject('PUT', '/roles/manager', { permissions: managing });
  let people = 0;
  const someone = () => {
    people += 1;
    return world.user({ email: `of-roles${people}-${Date.now()}@roles.example`, verified: true });
  };
  const [owner, manager] = [await someone(), await someone()];
  const of = { name: 'Roles', owner_id: owner.uid };
  const { workspace_id } = await asProject('POST', '/workspaces', of);
  const path = `/workspaces/${workspace_id}`;
  await asProject('POST', `${path}/users`, { user_id: manager.uid, role: 'manager' });
  const by: By = (...call) => asPerson(manager, ...call);
  await by('PUT', path, { name: 'New' });
  const { key } = await by('POST', '/users/me/api_keys', { name: 'CI' });
  await world.call('PUT', path, `Bearer ${key}`, { name: 'By a key' });
  for (const to of ['/metadata', '/allowed_domains', '/events']) await by('GET', path + to);
  await by('PUT', `${path}/allowed_domains`, { allowed_domains: ['roles.example'] });
  const { publish, close } = await startNameServer();
  const { result } = await by('GET', `${path}/allowed_domains`);
  const [{ record }] = result as unknown as [{ record: { name: string; value: string } }];
  publish(record.name, record.value);
  await by('POST', `${path}/allowed_domains/roles.example/proof`);
  await close();
  await by('PUT', `${path}/allowed_domains/roles.example`, { mode: 'auto' });
  const member = await someone();
  await by('POST', `${path}/users`, { user_id: member.uid, role: 'member' });
  const at = `${path}/users/${member.uid}`;
  await by('PUT', `${at}/suspension`, { suspended: true });
  await by('PUT', `${at}/role`, { role: 'manager' });
  await by('DELETE', at);
  const invite = async () => {
    const { email, uid } = await someone();
    await by('POST', `${path}/invitations`, { email, role: 'manager' });
    return { email, uid };
  };
  const invited = await invite();
  await by('GET', `${path}/invitations`);
  await by('POST', `${path}/invitations/${invited.uid}/resend`);
  await by('DELETE', `${path}/invitations/${invited.uid}`);
  await by('DELETE', `${path}/invitations?email=${(await invite()).email}`);
  for (const end of ['DELETE', 'POST'] as const) {
    const asker = await someone();
    await asPerson(asker, 'POST', `${path}/join_requests`, {});
    await by('GET', `${path}/join_requests`);
    const request = `${path}/join_requests/${asker.uid}`;
    await (end === 'DELETE' ? by(end, request) : by(end, `${request}/approve`, {}));
  }
  const { token, link_id } = await by('POST', `${path}/join_links`, {});
  const { uid: user_id, project } = await someone();
  const join = { workspace_id, user_id, join_token: token };
  await asPerson({ uid: user_id, project }, 'POST', '/workspaces/join', join);
  await by('GET', `${path}/join_links`);
  await by('DELETE', `${path}/join_links/${link_id}`);
}
