import { expect } from 'vitest';
import { userKey } from '../api-keys.ts';
import { changeNames, changeScene, changesByKeys } from '../key-changes.ts';
import { startNameServer } from '../name-server.ts';
import type { World } from '../world.ts';
import type { Callers } from './key.ts';

const managing = new Set<string>([
  ...Object.values(changesByKeys),
  ...['workspace:set-domains', 'domain:list', 'domain:prove', 'join-link:create'],
]);

/**
 * Uses the rights of a member with a role of the project, and of a key of this member: role and key are read, and checked
 * again at commit.
 */
export async function useRoles(
  world: World,
  { asProject, asPerson }: Pick<Callers, 'asProject' | 'asPerson'>,
): Promise<void> {
  await asProject('PUT', '/roles/manager', { permissions: [...managing] });
  for (const name of changeNames) {
    const { workspace, requests } = await changeScene(world);
    const { bearer } = await userKey(world, await world.member(workspace, 'manager'));
    const { status, body } = await requests(bearer, 'manager')[name]();
    expect([name, status < 300], JSON.stringify(body)).toEqual([name, true]);
  }

  const at = (name: string) =>
    world.user({ email: `${name}-${Date.now()}@roles.example`, verified: true });
  const workspace = await world.workspace();
  const manager = await world.member(workspace, 'manager', await at('manager'));
  const path = `/workspaces/${workspace.workspace_id}`;
  const by = (method: string, to: string, body?: object) =>
    asPerson(manager, method, path + to, body);
  await by('PUT', '/allowed_domains', { allowed_domains: ['roles.example'] });
  const { publish, close } = await startNameServer();
  const { result } = await by('GET', '/allowed_domains');
  const [{ record }] = result as unknown as [{ record: { name: string; value: string } }];
  publish(record.name, record.value);
  await by('POST', '/allowed_domains/roles.example/proof');
  await close();
  await by('PUT', '/allowed_domains/roles.example', { mode: 'auto' });
  const { token: join_token } = await by('POST', '/join_links', {});
  const guest = await at('guest');
  const join = { workspace_id: workspace.workspace_id, user_id: guest.uid, join_token };
  await asPerson(guest, 'POST', '/workspaces/join', join);
}
