/**
 * Measures the throughput of one feed: the events that stream.consume records for one project, compared in turns with
 * sequential plain puts. All events of a project go through one head item, which is the bottleneck.
 *
 *     npm run bench:feed                about a minute and a half
 *     npm run bench:feed -- --quick     some seconds
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { startBus } from '../local/aws/eventbridge.ts';
import { compare, table } from './report.ts';
import { openTable } from './service-process.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const { turns, window } = flags.quick ? { turns: 3, window: 300 } : { turns: 7, window: 1_500 };

await openTable();
const bus = await startBus({ name: 'bench' });
process.env['EVENT_BUS'] = 'bench';
process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'] = bus.endpoint;
// After the environment is set, because the SDK's clients read it when they are created.
const { recordEvents } = await import('../shared/events/record.ts');
const { runInRequest } = await import('../shared/db/request-context.ts');
const client = new DynamoDBClient({ maxAttempts: 1 });

/** Records of one message: shared/events/queue-sort.ts. */
const batchSize = 25;
/** Normally one invocation processes a project; after a restart of the stream there may be others. */
const atOnce = 4;

/** A change of a separate user, which emits one event of typical size. */
function change(project_id: string): DynamoDBRecord {
  const uid = randomUUID();
  const user = { pk: `USER#${uid}`, sk: 'USER', uid, project_id, email: `${uid}@example.com` };
  const actor = { kind: 'key', id: '0a1b2c3d' };
  const time = new Date().toISOString();
  const events = [{ id: `evt-${randomUUID()}`, type: 'user.updated', time, actor }];
  const profile = { display_name: 'A usual name', created_at: time, modified_at: time };
  const NewImage = marshall({ ...user, ...profile, version: 2, event_count: 1, events });
  return { dynamodb: { NewImage } } as unknown as DynamoDBRecord;
}

/** Events per second of parallel invocations, each of which records batches of this size. */
const recording = (writers: number, size: number) => async (): Promise<number> => {
  const project_id = `p${randomUUID()}`;
  return rateOf(writers, async () => {
    const records = Array.from({ length: size }, () => change(project_id));
    const { recorded } = await runInRequest(randomUUID(), 300_000, () =>
      recordEvents(records, (gap) => {
        throw gap;
      }),
    );
    return recorded;
  });
};

const Data = 'x'.repeat(500);
/** Sequential puts per second of one item of 500 bytes. */
const putting = (): Promise<number> =>
  rateOf(1, async () => {
    const Item = marshall({ pk: `BENCH#${randomUUID()}`, sk: 'ITEM', Data });
    await client.send(new PutItemCommand({ TableName: 'bench', Item }));
    return 1;
  });

async function rateOf(writers: number, work: () => Promise<number>): Promise<number> {
  const began = performance.now();
  let done = 0;
  const write = async () => {
    while (performance.now() - began < window) {
      const more = await work();
      done += more;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return done / ((performance.now() - began) / 1_000);
}

const cases: [string, () => Promise<number>][] = [
  ['one invocation, whole batches', recording(1, batchSize)],
  [`${atOnce} invocations, whole batches`, recording(atOnce, batchSize)],
  ['one invocation, an event at a time', recording(1, 1)],
  [`${atOnce} invocations, an event at a time`, recording(atOnce, 1)],
];
const rows: string[][] = [];
for (const [name, measure] of cases) {
  await measure();
  const { ours, puts } = await compare(turns, {
    ours: async () => ({ rate: await measure() }),
    puts: async () => ({ rate: await putting() }),
  });
  const rates = [ours, puts].map(({ median }) => median.rate.toFixed());
  rows.push([name, ...rates, puts.ratio.rate.toFixed(2)]);
}
console.log(table(['events of one feed', 'events/s', 'puts/s', 'ratio'], rows));
client.destroy();
await bus.close();
