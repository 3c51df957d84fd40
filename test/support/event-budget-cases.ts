import { randomUUID } from 'node:crypto';
import { keys } from '../../shared/db/schema.ts';
import type { Cases } from './budget-case.ts';
import type { World } from './world.ts';

/** A call of every endpoint of the events. */
export function eventCases(world: World) {
  const get = (path: string, auth: string, query: Record<string, number> = {}) => ({
    method: 'GET',
    path,
    auth,
    query,
  });
  const feed = async (after: number) => {
    const { project_id, basic } = await world.newProject();
    await seed((place) => keys.feedEntry(project_id, place));
    await world.table.put({ ...keys.feedHead(project_id), position: 20 });
    // So that the instance has the project.
    await world.call('GET', '/events', basic);
    return get('/events', basic, { after });
  };
  const log = async (by: 'back end' | 'owner', after = 0) => {
    const { workspace_id, owner } = await world.workspace();
    const { pk } = keys.workspace(workspace_id);
    await seed((place) => keys.logEntry(pk, place));
    const { project_id } = world.project;
    await world.table.put({ ...keys.logHead(pk), project_id, told: 20, number: 20, recent: [] });
    const auth = by === 'owner' ? owner.bearer : world.project.basic;
    return get(`/workspaces/${workspace_id}/events`, auth, { after });
  };

  /** Puts 20 events of the usual size. */
  async function seed(keyOf: (place: number) => { pk: string; sk: string }): Promise<void> {
    const hash = 'q2mXbV0nYc1sT8rJ5uKpLz7dWf3gHe6iOa9tQyRvB4E';
    for (let place = 1; place <= 20; place += 1) {
      const event = JSON.stringify({
        id: `evt-${randomUUID()}`,
        type: 'workspace.member.role_changed',
        time: '2026-11-21T08:00:00.000Z',
        project_id: world.project.project_id,
        workspace_id: `wid-${randomUUID()}`,
        actor: { kind: 'user', id: randomUUID() },
        data: { user_id: randomUUID(), member_id: `mid-${randomUUID()}`, role: 'admin' },
        previous: { role: 'member' },
      });
      const expires_at = Math.floor(Date.now() / 1_000) + 86_400;
      const link = { event, hash, previous_hash: hash, position: place, expires_at };
      await world.table.put({ ...keyOf(place), ...link });
    }
  }

  return {
    'events.list': {
      'Basic, 20 events': () => feed(0),
      'Basic, nothing new': () => feed(20),
    },
    'events.listOfWorkspace': {
      'Basic, 20 events': () => log('back end'),
      'Basic, nothing new': () => log('back end', 20),
      'Bearer, 20 events': () => log('owner'),
    },
  } satisfies Cases;
}
