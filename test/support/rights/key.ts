import { routes } from '../../../shared/contract/api.ts';
import { takesKey } from '../../../shared/contract/key-access.ts';
import { keys } from '../../../shared/db/keys.ts';
import { sampleOf } from '../../contract/samples.ts';
import { pathOf } from '../routes.ts';
import type { Person, World } from '../world.ts';

type Someone = Pick<Person, 'uid' | 'project'>;
type By = (method: string, path: string, body?: unknown) => Promise<Record<string, string>>;
export type Callers = {
  asProject: By;
  asPerson: (person: Someone, ...call: Parameters<By>) => ReturnType<By>;
  cold: (method: string, path: string, auth: string, body?: unknown) => ReturnType<By>;
};

/** Uses every right of the functions of API keys, and of those that accept API keys. */
export async function useApiKeys(world: World, callers: Callers): Promise<void> {
  const { asProject, asPerson, cold } = callers;
  const { project_id, basic } = world.project;
  // Makes instances count requests; they have not cached the project yet.
  await world.operate({ action: 'update', project_id, api_key_rate_limit: 600 });
  const ada = await world.user({ verified: true });
  const { workspace_id = '' } = await asProject('POST', '/workspaces', {
    name: 'Keys',
    owner_id: ada.uid,
  });
  const ofUser: By = (method, path, body) =>
    asPerson(ada, method, `/users/me/api_keys${path}`, body);
  const ofWorkspace =
    (by: By): By =>
    (method, path, body) =>
      by(method, `/workspaces/${workspace_id}/api_keys${path}`, body);
  await asProject('PUT', '/roles/key-manager', { permissions: ['api-key:manage'] });
  const bob = await world.user({ verified: true });
  const member = { user_id: bob.uid, role: 'key-manager' };
  await asProject('POST', `/workspaces/${workspace_id}/users`, member);
  const people = [ada, bob].map((each) => ofWorkspace(asPerson.bind(null, each)));
  for (const by of [ofUser, ofWorkspace(asProject), ...people]) {
    const { key_id } = await by('POST', '', { name: 'CI', expires_in: 31_000_000 });
    await by('GET', '');
    await by('PUT', `/${key_id}`, { name: 'New' });
    await by('POST', `/${key_id}/rotate`, {});
    await by('DELETE', `/${key_id}`);
  }
  const owners = [
    ['user', ofUser],
    ['workspace', ofWorkspace(asProject)],
  ] as const;
  for (const [kind, by] of owners)
    for (const route of routes.filter((each) => takesKey(each, kind))) {
      // A new key, whose use is not recorded yet.
      const { key = '', key_id } = await by('POST', '', {
        name: 'CI',
        ...(kind === 'workspace' && { role: 'admin' }),
      });
      const { params, body, query } = sampleOf(route);
      const path = pathOf(route, { ...params, ...(params['workspace_id'] && { workspace_id }) });
      const search = new URLSearchParams(query).toString();
      await cold(route.method, `${path}?${search}`, `Bearer ${key}`, body);
      await by('DELETE', `/${key_id}`);
    }
  const { key_id: leaked } = await ofUser('POST', '', { name: 'CI' });
  await asProject('GET', `/users/${ada.uid}/api_keys`);
  await asProject('DELETE', `/users/${ada.uid}/api_keys/${leaked}`);
  for (const by of [ofUser, ofWorkspace(asProject)]) {
    const { key } = await by('POST', '', { name: 'CI' });
    await asProject('POST', '/api_keys/verify', { key });
    await cold('POST', '/api_keys/verify', basic, { key });
  }
  // Keys revoked by generation, as by a mailed password, are deleted when the next one is created.
  await world.table.update(keys.user(ada.uid), { key_generation: 1 });
  await ofUser('POST', '', { name: 'CI' });
  // So are expired keys, also of a workspace.
  const ofPlace = ofWorkspace(asProject);
  const { key_id: expired = '' } = await ofPlace('POST', '', { name: 'CI', expires_in: 60 });
  const ends_at = new Date(Date.now() - 60_000).toISOString();
  await world.table.update(keys.apiKey(keys.workspace(workspace_id), expired), { ends_at });
  await ofPlace('POST', '', { name: 'CI' });
  await asPerson(ada, 'GET', `/users/${ada.uid}/export`);
  await asProject('DELETE', `/workspaces/${workspace_id}`);
  await world.drainStream();
  await asProject('DELETE', `/users/${ada.uid}`);
  await world.drainStream();
}
