import { expect, test } from 'vitest';
import { limits } from '#shared/model/limits.ts';
import { operate } from '../../../local/operator.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

test('all projects are listed, also where they are more than one response of Lambda holds', async () => {
  const { project_id } = await world.newProject();
  const project = (await world.table.get({ pk: `PROJECT#${project_id}`, sk: 'PROJECT' })) ?? {};
  // As many and as long as `project:create-client` takes them.
  const uri = 'https://app.example.com/'.padEnd(limits.redirectUri, 'x');
  const uris = Array.from({ length: limits.redirectUrisPerClient }, () => uri);
  const oauth_clients = Array.from({ length: limits.oauthClientsPerProject }, (_, i) => ({
    client_id: `c${i}`,
    redirect_uris: uris,
    post_logout_redirect_uris: uris,
    secrets: [],
  }));
  const many = Array.from({ length: 32 }, (_, i) => `many-${String(i).padStart(2, '0')}`);
  const items = many.map((id) => {
    const pk = `PROJECT#${id}`;
    return { ...project, pk, by_email_sk: pk, project_id: id, oauth_clients };
  });
  type Listed = { projects: { project_id: string }[] };
  try {
    await Promise.all(items.map((item) => world.table.put(item)));
    const { projects } = (await operate({ action: 'list' })) as Listed;
    expect(JSON.stringify(projects).length).toBeGreaterThan(6 * 1024 * 1024);
    const listed = projects.map((each) => each.project_id);
    expect(listed.filter((id) => id.startsWith('many-'))).toEqual(many);
    expect(new Set(listed).size).toBe(listed.length);
  } finally {
    // Other files list the projects too.
    await Promise.all(items.map(({ pk }) => world.table.delete({ pk, sk: 'PROJECT' })));
  }
});
