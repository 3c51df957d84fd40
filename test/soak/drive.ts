import { setTimeout as sleep } from 'node:timers/promises';
import { routes } from '../../shared/contract/api.ts';
import { randomOf } from '../faults/random.ts';
import type { Credential } from '../model/tokens.ts';
import { joining } from './actions-joining.ts';
import { keys } from './actions-keys.ts';
import { people } from './actions-people.ts';
import { workspaces } from './actions-workspaces.ts';
import { startClient } from './client.ts';
import { learn, newProject, type Project } from './client-state.ts';
import { type Action, NothingThere, type Turn } from './client-turn.ts';
import type { Entry, SentRequest } from './history.ts';

const actions: readonly Action[] = Object.values({ ...people, ...workspaces, ...joining, ...keys });
const weight = actions.reduce((sum, action) => sum + action.weight, 0);

type Send = (asked: SentRequest, cut?: number) => Promise<Entry>;

/** The fraction of writes with an Idempotency-Key. */
const keyed = 0.15;

const writing = new Set(routes.filter(({ method }) => method !== 'GET').map(({ name }) => name));

/** Not refreshes, which handle retries themselves, nor probes. */
const canHaveKey = ({ name, probe }: SentRequest): boolean =>
  writing.has(name) &&
  name !== 'sessions.refresh' &&
  name !== 'users.search' &&
  probe === undefined;

/** Changing one of these makes a different request. */
const renamed = ['display_name', 'name', 'description'];

/** Whether a client retries. */
const isOpen = ({ status, answer }: Entry): boolean =>
  status === undefined || status >= 500 || answer?.['code'] === 'request_in_progress';

type Options = {
  url: string;
  projects: readonly Credential[];
  seed: number;
  /** The approximate number of requests. */
  ops: number;
  clients: number;
  /** Called with each response and the requests in flight; true ends the run. */
  onEntry?: (all: readonly Entry[], underWay: Iterable<Entry>) => boolean;
};

/** Runs clients that act as users and backends, by the seed, and returns the history. */
export async function drive(options: Options): Promise<Entry[]> {
  const { url, seed, ops, clients, onEntry } = options;
  // The second project, for collisions across projects, is smaller.
  const projects = options.projects.map((project, i) => newProject(project, i === 0 ? 20 : 8));
  const client = startClient(url);
  const entries: Entry[] = [];
  const underWay = new Map<number, Entry>();
  let sent = 0;
  let named = 0;
  let stopped = false;

  const ask = async (project: Project, number: number, asked: SentRequest, cut?: number) => {
    sent += 1;
    const id = sent;
    const authorization = asked.as.kind === 'project' ? project.basic : `Bearer ${asked.as.token}`;
    const begun = { ...asked, id, client: number, began: performance.now(), ended: Infinity };
    underWay.set(id, begun);
    const answered = await client.send(asked, authorization, cut);
    underWay.delete(id);
    const entry: Entry = {
      ...begun,
      ended: performance.now(),
      ...answered,
      ...(cut !== undefined && answered.status === undefined && { cut: true }),
    };
    entries.push(entry);
    if (onEntry?.(entries, underWay.values()) === true) stopped = true;
    learn(project, entry);
    return entry;
  };

  const isOver = () => stopped || sent >= ops;

  /** Sends some writes with an Idempotency-Key, from a client that sometimes disconnects and retries. */
  const askByKey = async (random: () => number, asked: SentRequest, send: Send): Promise<Entry> => {
    if (!canHaveKey(asked) || random() >= keyed) return send(asked);
    named += 1;
    const of = { ...asked, key: `key-${seed}-${named}-of-the-soak` };
    const beside = random() < 0.2 ? send(of) : undefined;
    let entry = await send(of, random() < 0.3 ? 5 + random() * 100 : undefined);
    for (let tries = 0; tries < 6 && isOpen(entry); tries += 1) {
      await sleep(20 * 2 ** tries * random());
      entry = await send(of);
    }
    if (random() < 0.15) entry = await send(of);
    const name = of.body && renamed.find((field) => of.body?.[field] !== undefined);
    if (name !== undefined && entry.status !== undefined && entry.status < 300 && random() < 0.1)
      await send({ ...of, body: { ...of.body, [name]: 'another' }, probe: 'key' });
    await beside;
    return entry;
  };

  const run = async (number: number): Promise<void> => {
    const random = randomOf(seed * 1_000 + number);
    while (!isOver()) {
      const second = random() < 0.25;
      const [project, other] = second ? projects.toReversed() : projects;
      if (!project || !other) throw new Error('There must be two projects.');
      const turn: Turn = {
        random,
        project,
        other,
        ask: (asked) => askByKey(random, asked, (each, cut) => ask(project, number, each, cut)),
        next: () => (named += 1),
      };
      try {
        await choose(random).run(turn);
      } catch (error) {
        if (!(error instanceof NothingThere)) throw error;
        // Avoids spinning while nothing exists yet.
        if (entries.length < 100) await actions[0]?.run(turn);
      }
    }
  };

  await Promise.all(Array.from({ length: clients }, (_, i) => run(i)));
  // Abandoned requests are part of the history too.
  while (underWay.size > 0) await sleep(10);
  client.close();
  return entries;
}

function choose(random: () => number): Action {
  let at = random() * weight;
  for (const action of actions) {
    at -= action.weight;
    if (at < 0) return action;
  }
  throw new Error('There are no actions.');
}
