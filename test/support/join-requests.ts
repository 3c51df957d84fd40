import type { World } from './world.ts';

let domains = 0;

/** A workspace with a join request of a user whose e-mail is at a suggested domain. */
export async function withJoinRequest(world: World) {
  domains += 1;
  const domain = `d${domains}.com`;
  const workspace = await world.workspace();
  const { workspace_id } = workspace;
  const path = `/workspaces/${workspace_id}/allowed_domains/${domain}`;
  await world.call('PUT', path, world.project.basic, { mode: 'suggest' });
  const asker = await world.user({ email: `asker@${domain}`, verified: true });
  const { body: request } = await world.as(asker).joinRequests.create({ workspace_id });
  return { workspace, workspace_id, asker, request };
}
