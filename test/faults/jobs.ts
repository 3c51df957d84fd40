import { type FedFunction } from '../../lib/feeds.ts';
import { invoke, timeouts } from '../../local/lambda.ts';
import { startStream } from '../../local/stream.ts';
import { catalogue } from './catalogue.ts';
import { inLane } from './lanes.ts';
import type { Lane } from './lane.ts';
import { canonical, difference, withoutChance } from './plain.ts';
import type { Scene } from './scene.ts';
import { tell, type Trouble } from './trial.ts';

/** A change of the table, from which a function of the stream has something to do. */
export type Job = {
  name: string;
  by: FedFunction;
  /** Prepares the change and returns how to make it. */
  prepare: () => Promise<() => Promise<unknown>>;
};

type Result = { batchItemFailures: { itemIdentifier: string }[] } | undefined;

/** How often Lambda brings the same records again here, at most, until they are taken. */
const tries = 4;

/** What is wrong with what a function of the stream does of a change, when each of its calls meets each fault. */
export async function exhaustJob(scene: Scene, job: Job, names?: readonly string[]) {
  const records = await recordsOf(scene, job);
  const lane = scene.openLane(job.name);
  const handler = await scene.load(job.by);
  scene.world.permissions.useStream(job.by);
  /** Brings the records once; whether all of them were taken. */
  const bring = async (): Promise<boolean> => {
    lane.met.length = 0;
    const bringing = inLane(job.name, () =>
      invoke(job.by, handler, { Records: records }, timeouts[job.by]),
    );
    const result = (await bringing.catch(() => undefined)) as Result;
    await lane.quiet();
    return result?.batchItemFailures.length === 0;
  };
  /** Brings the records until they are taken, as the stream does, and describes what then is, beside the mails sent. */
  const perform = async (known: string): Promise<string> => {
    const mails = scene.world.mails().length;
    let taken = false;
    for (let i = 0; i < tries && !taken; i += 1) {
      taken = await bring();
      lane.plan = undefined;
    }
    if (!taken) return 'the records were not taken';
    const state = await stateOf(lane, known);
    return `${scene.world.mails().length - mails} mails\n${state}`;
  };

  await bring();
  const known = canonical([records, [...(await lane.images()).values()]]);
  await lane.putBack();
  const clean = await perform(known);
  const met = [...lane.met];
  const wrong: string[] = [];
  const expectClean = (title: string, found: string) => {
    if (found !== clean) wrong.push(`${job.name}: ${title}:${difference(found, clean)}`);
  };
  // Every record may come twice.
  const [, ...again] = (await perform(known)).split('\n');
  expectClean('brought twice', [clean.split('\n')[0], ...again].join('\n'));
  await lane.putBack();
  let runs = 0;
  for (const at of met)
    for (const fault of catalogue.filter(
      ({ fits, name }) => fits(at.call) && (names?.includes(name) ?? true),
    )) {
      const trouble: Trouble = { at, nthTry: 1, fault };
      lane.plan = (each) =>
        each.name === at.name && each.nth === at.nth && each.tries === 1 ? fault.fault : undefined;
      expectClean(tell(trouble), await perform(known));
      await lane.putBack();
      runs += 1;
    }
  return { runs, calls: met.length, wrong };
}

async function stateOf(lane: Lane, known: string): Promise<string> {
  const changes = [...(await lane.changes())];
  const lines = changes.map(([key, item]) => `${key} ${canonical(item ?? null)}`);
  return withoutChance(lines, known).join('\n');
}

/** What the stream brings the function of a change. */
async function recordsOf({ database, table, world }: Scene, { by, prepare }: Job) {
  const records: object[] = [];
  const handler = async ({ Records }: { Records: object[] }) => {
    records.push(...Records);
  };
  const feed = await startStream({
    name: by,
    endpoint: database.endpoint,
    client: table.client,
    tableName: world.table.name,
    handler,
    interval: 2 ** 31 - 1,
  });
  const change = await prepare();
  await feed.drained();
  records.length = 0;
  await change();
  await feed.drained();
  await feed.stop();
  return records;
}
