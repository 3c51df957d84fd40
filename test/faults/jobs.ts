import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { type QueueFed, queueSources } from '../../lib/functions.ts';
import { invoke } from '../../local/aws/lambda.ts';
import { startStream } from '../../local/stream/stream.ts';
import { recordsOf as readMessage, sortByProject } from '../../shared/events/queue-sort.ts';
import { queued } from '../support/queued.ts';
import { catalogue } from './catalogue.ts';
import { type Trouble, tell } from './fault-run.ts';
import { inLane } from './lanes.ts';
import { canonical, difference, withoutChance } from './normalise.ts';
import type { Scene } from './scene.ts';
import type { Lane } from './traced-request.ts';

/** Something that a function has to do behind the requests. */
export type Job = {
  name: string;
  by: QueueFed | 'webhooks.deliver';
  /** Prepares what is to be done, and returns the event that invokes the function. */
  prepare: () => Promise<unknown>;
};

type Result = { batchItemFailures: unknown[] } | null;

/** How often the same event comes here, at most, until the function has taken it. */
const tries = 4;

/**
 * What is wrong with what a function leaves behind when each of its calls meets each fault, or those of these names.
 */
export async function exhaustJob(scene: Scene, job: Job, names?: readonly string[]) {
  const event = await job.prepare();
  const lane = scene.openLane(job.name);
  const handler = await scene.load(job.by);
  /** What is still to be brought. */
  const left: unknown[] = [];
  scene.world.queues.feed('changes', async (continuation) => void left.push(continuation));
  const bringOne = async (one: unknown): Promise<boolean> => {
    const bringing = inLane(job.name, () => invoke(job.by, handler, one));
    const failed = await bringing.then(
      (result) => ((result as Result)?.batchItemFailures ?? []).length > 0,
      () => true,
    );
    await lane.quiet();
    return !failed;
  };
  /** Brings the event, or what continues it, once; whether the function has taken all of it. */
  const bring = async (): Promise<boolean> => {
    lane.met.length = 0;
    let taken = true;
    for (const one of left.splice(0)) {
      if (await bringOne(one)) continue;
      taken = false;
      left.push(one);
    }
    await scene.world.queues.workedOff();
    return taken && left.length === 0;
  };
  /** Brings the event until it is taken, as Lambda does, and describes what then is, beside the mails sent. */
  const perform = async (known: string): Promise<string> => {
    const mails = scene.world.mails().length;
    let taken = false;
    left.splice(0, Infinity, sentAnew(event));
    for (let i = 0; i < tries && !taken; i += 1) {
      taken = await bring();
      lane.plan = undefined;
    }
    if (!taken) return 'the event was not taken';
    const state = await stateOf(lane, known);
    return `${scene.world.mails().length - mails} mails\n${state}`;
  };

  left.push(event);
  await bring();
  const known = canonical([event, [...(await lane.images()).values()]]);
  await lane.putBack();
  const clean = await perform(known);
  const met = [...lane.met];
  const wrong: string[] = [];
  const expectClean = (title: string, found: string) => {
    if (found !== clean) wrong.push(`${job.name}: ${title}:${difference(found, clean)}`);
  };
  // Everything may come twice.
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

/** The event with other ids of its records: what continues one is sent once for each id. */
function sentAnew(event: unknown): unknown {
  const { Records = [] } = event as Partial<SQSEvent>;
  if (Records[0]?.body === undefined) return event;
  const anew = (body: string) =>
    JSON.stringify(readMessage(body).map((record) => ({ ...record, eventID: randomUUID() })));
  return { Records: Records.map((each) => ({ ...each, body: anew(each.body) })) };
}

async function stateOf(lane: Lane, known: string): Promise<string> {
  const changes = [...(await lane.changes())];
  const lines = changes.map(([key, item]) => `${key} ${canonical(item ?? null)}`);
  return withoutChance(lines, known).join('\n');
}

/** What the stream brings a function of a change, by its queue. */
export async function recordsOf(
  { database, table, world }: Scene,
  by: QueueFed,
  change: () => Promise<unknown>,
) {
  const records: DynamoDBRecord[] = [];
  const feed = await startStream({
    endpoint: database.endpoint,
    client: table.client,
    tableName: world.table.name,
    handler: async (event: DynamoDBStreamEvent) => {
      records.push(...event.Records);
    },
    interval: 2 ** 31 - 1,
  });
  await feed.drained();
  records.length = 0;
  await change();
  await feed.drained();
  await feed.stop();
  world.permissions.useStream(by);
  const messages = sortByProject(records, () => {}).filter(
    ({ queue }) => queue === queueSources[by].queue,
  );
  return queued(messages.flatMap(({ body }) => readMessage(body)));
}
