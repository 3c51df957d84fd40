import { type Batch, createBackend, type FollowOptions } from '../../../client/server.ts';
import type { TestProject, World } from '../../support/world.ts';

export type Answer = (genuine: () => Promise<Response>) => Promise<Response>;

/** A project, a follower of its log with its store, and a controllable connection to the service. */
export async function placeIn(world: World) {
  const project: TestProject = await world.newProject();
  const { project_id: projectId, secret } = project;
  const stop = new AbortController();
  const line: { answer: Answer; asked: string[] } = {
    answer: (genuine) => genuine(),
    asked: [],
  };
  const stored: { position?: string | number; saves: [string, string][] } = { saves: [] };
  const cursor = {
    load: async () => stored.position,
    save: async (position: string, from: string) => {
      stored.saves.push([position, from]);
      stored.position = position;
    },
  };
  const backend = createBackend({
    url: world.url,
    projectId,
    secret,
    fetch: (url, init) => {
      line.asked.push(String(url));
      return line.answer(() => fetch(url, init));
    },
  });
  const follow = (more: Partial<FollowOptions> = {}) =>
    backend.events.follow({ cursor, signal: stop.signal, interval: 20, ...more });
  /** Creates users, and waits until the service has recorded the events. */
  async function add(count: number): Promise<string[]> {
    const uids: string[] = [];
    for (let i = 0; i < count; i += 1) {
      const { body } = await world
        .as(project)
        .users.create({ email: `p${Math.random()}@example.com` });
      uids.push(body.uid);
    }
    await world.drainStream();
    return uids;
  }
  return { project, stop, line, stored, cursor, follow, add };
}

export const usersIn = ({ events }: Batch) => events.map(({ data }) => data.user_id);
export async function take(batches: AsyncGenerator<Batch>): Promise<Batch> {
  const { value, done } = await batches.next();
  if (done) throw new Error('It ended.');
  return value;
}
