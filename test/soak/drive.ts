import { randomOf } from '../faults/random.ts';
import { learn, newProject, type Project } from './book.ts';
import { startClient } from './client.ts';
import { people } from './deeds-people.ts';
import { waysIn } from './deeds-ways-in.ts';
import { workspaces } from './deeds-workspaces.ts';
import type { Asked, Entry } from './history.ts';
import { type Deed, NothingThere, type Turn } from './turn.ts';

const deeds: readonly Deed[] = Object.values({ ...people, ...workspaces, ...waysIn });
const weight = deeds.reduce((sum, deed) => sum + deed.weight, 0);

type Options = {
  url: string;
  projects: readonly { project_id: string; secret: string }[];
  seed: number;
  /** How many requests are sent, about. */
  ops: number;
  clients: number;
  /** Told of each answer; true ends the run. */
  onEntry?: (all: readonly Entry[]) => boolean;
};

/** Lets some clients do what people and back ends do, all by the seed, and answers everything that happened. */
export async function drive(options: Options): Promise<Entry[]> {
  const { url, seed, ops, clients, onEntry } = options;
  // The second project is there for collisions across projects, so it is smaller.
  const projects = options.projects.map((project, i) => newProject(project, i === 0 ? 20 : 8));
  const client = startClient(url);
  const entries: Entry[] = [];
  let sent = 0;
  let named = 0;
  let stopped = false;

  const ask = async (project: Project, number: number, asked: Asked, cut?: number) => {
    sent += 1;
    const id = sent;
    const authorization =
      asked.as.kind === 'project' ? project.basic : `Bearer ${asked.as.token}`;
    const began = performance.now();
    const answered = await client.send(asked, authorization, cut);
    const entry: Entry = { ...asked, id, client: number, began, ended: performance.now(), ...answered };
    entries.push(entry);
    if (onEntry?.(entries) === true) stopped = true;
    learn(project, entry);
    return entry;
  };

  const run = async (number: number): Promise<void> => {
    const random = randomOf(seed * 1_000 + number);
    while (sent < ops && !stopped) {
      const second = random() < 0.25;
      const [project, other] = second ? projects.toReversed() : projects;
      if (!project || !other) throw new Error('There must be two projects.');
      const turn: Turn = {
        random,
        project,
        other,
        ask: (asked, cut) => ask(project, number, asked, cut),
        next: () => (named += 1),
      };
      try {
        await choose(random).run(turn);
      } catch (error) {
        if (!(error instanceof NothingThere)) throw error;
        // So that it does not spin while nobody has made anything yet.
        if (entries.length < 100) await deeds[0]?.run(turn);
      }
    }
  };

  await Promise.all(Array.from({ length: clients }, (_, i) => run(i)));
  client.close();
  return entries;
}

function choose(random: () => number): Deed {
  let at = random() * weight;
  for (const deed of deeds) {
    at -= deed.weight;
    if (at < 0) return deed;
  }
  throw new Error('There are no deeds.');
}
