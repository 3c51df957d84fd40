import type { World } from '../world.ts';
import type { Callers } from './key.ts';

/** Makes every change that an API key can make in a workspace, with a key of its owner and one of the workspace. */
export async function writeByKeys(world: World, { asProject, asPerson, cold }: Callers) {
  const owner = await world.user({ verified: true });
  const { workspace_id } = await asProject('POST', '/workspaces', {
    name: 'Changed by keys',
    owner_id: owner.uid,
  });
  const at = `/workspaces/${workspace_id}`;
  const made = { name: 'CI', expires_in: 31_000_000 };
  await asProject('PUT', `${at}/allowed_domains/keys.example`, { mode: 'suggest' });
  const keys = {
    user: await asPerson(owner, 'POST', '/users/me/api_keys', made),
    workspace: await asProject('POST', `${at}/api_keys`, { ...made, role: 'admin' }),
  };
  for (const [kind, { key }] of Object.entries(keys)) {
    const by = (method: string, path: string, body?: object) =>
      cold(method, `${at}${path}`, `Bearer ${key}`, body);
    const email = (name: string) => `${name}.${kind}@keys.example`;
    const member = await world.user();
    await asProject('POST', `${at}/users`, { user_id: member.uid, role: 'member' });
    await by('PUT', '', { name: `By a key of a ${kind}` });
    await by('PUT', `/users/${member.uid}/role`, { role: 'admin' });
    await by('PUT', `/users/${member.uid}/suspension`, { suspended: true });
    await by('DELETE', `/users/${member.uid}`);
    await by('POST', '/users', { user_id: member.uid, role: 'member' });
    await by('POST', `/invitations/${member.uid}/resend`);
    await by('DELETE', `/invitations/${member.uid}`);
    await by('POST', '/invitations', { email: email('guest'), role: 'member' });
    await by('DELETE', `/invitations?email=${email('guest')}`);
    for (const name of ['let-in', 'refused']) {
      const asker = await world.user({ email: email(name), verified: true });
      await asPerson(asker, 'POST', `${at}/join_requests`, {});
      if (name === 'refused') await by('DELETE', `/join_requests/${asker.uid}`);
      else await by('POST', `/join_requests/${asker.uid}/approve`, {});
    }
    const { link_id } = await asProject('POST', `${at}/join_links`, {});
    await by('DELETE', `/join_links/${link_id}`);
  }
}
