import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { type QueueFed, queueSources } from '../../lib/functions.ts';
import { invoke } from '../../local/aws/lambda.ts';
import { startStream } from '../../local/stream/stream.ts';
import { recordsOf as readMessage, sortByProject } from '../../shared/events/queue-sort.ts';
import { queued } from '../support/queued.ts';
import { catalogue } from './catalogue.ts';
import { describeFault, type PlannedFault } from './fault-run.ts';
import { inLane } from './lanes.ts';
import { canonical, difference, withoutChance } from './normalise.ts';
import type { Scene } from './scene.ts';
import type { Lane } from './traced-request.ts';

/** Background work of a function. */
export type Job = {
  name: string;
  by: QueueFed | 'webhooks.deliver';
  /** Prepares the work and returns the event that invokes the function. */
  prepare: () => Promise<unknown>;
};

type Result = { batchItemFailures: unknown[] } | null;

/** The maximum number of deliveries of an event until the function has processed it. */
const tries = 4;

/**
 * Runs a job with each fault, or with the named ones, at each of its calls, and returns the problems in the state that
 * it leaves.
 */
export async function exhaustJob(scene: Scene, job: Job, names?: readonly string[]) {
  const event = await job.prepare();
  const lane = scene.openLane(job.name);
  const handler = await scene.load(job.by);
  /** Events still to deliver. */
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
  /** Delivers the event, or its continuations, once; returns whether the function has processed all of it. */
  const bring = async (): Promise<boolean> => {
    lane.calls.length = 0;
    let taken = true;
    for (const one of left.splice(0)) {
      if (await bringOne(one)) continue;
      taken = false;
      left.push(one);
    }
    await scene.world.queues.workedOff();
    return taken && left.length === 0;
  };
  /** Delivers the event until it is processed, as Lambda does, and describes the resulting state and the sent mails. */
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
  const calls = [...lane.calls];
  const wrong: string[] = [];
  const expectClean = (title: string, found: string) => {
    if (found !== clean) wrong.push(`${job.name}: ${title}:${difference(found, clean)}`);
  };
  // Every event may be delivered twice.
  const [, ...again] = (await perform(known)).split('\n');
  expectClean('brought twice', [clean.split('\n')[0], ...again].join('\n'));
  await lane.putBack();
  let runs = 0;
  for (const at of calls)
    for (const fault of catalogue.filter(
      ({ fits, name }) => fits(at.call) && (names?.includes(name) ?? true),
    )) {
      const plannedFault: PlannedFault = { at, nthTry: 1, fault };
      lane.plan = (each) =>
        each.name === at.name && each.nth === at.nth && each.tries === 1 ? fault.fault : undefined;
      expectClean(describeFault(plannedFault), await perform(known));
      await lane.putBack();
      runs += 1;
    }
  return { runs, calls: calls.length, wrong };
}

/** The event with other record ids: a continuation is sent once for each id. */
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

/** The stream records of a change, as a function's queue delivers them. */
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
