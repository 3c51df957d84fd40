import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { grants } from '../lib/functions.ts';
import { messageOf } from '../shared/model/message-of.ts';
import { enforceGrants } from './aws/permissions.ts';
import { scheduleStoreIn } from './aws/schedule-store.ts';
import { type Mail, startOutbox } from './aws/ses.ts';
import { onTableWrite } from './engine/table-writes.ts';
import { setEnvironment, tableName } from './environment.ts';
import { bundling, fromSource } from './load.ts';
import { startEventConsumers } from './stream/event-consumers.ts';
import { startStream } from './stream/stream.ts';

/**
 * The process of `npm start` that runs the functions behind the stream, the queues, the bus, schedules and mail
 * feedback. It is idle until the server announces a write.
 */

export type Settings = {
  /** Addresses of the engine, the secrets and the API. */
  dynamodb: string;
  secrets: string;
  baseUrl: string;
  bundles: boolean;
};
/** A message from the server. `written`: the table may have changed. */
export type Order = { start: Settings } | 'written' | 'stop';
/** A message to the server. */
export type Report = { started: { schedules: string } } | { mail: Mail };

/**
 * Milliseconds after which an unannounced change is found: a change by another process, such as `npm run
 * project:update`.
 */
const unannounced = 5_000;

let announce = () => {};
let stop = () => Promise.resolve();

const report = (text: Report) => process.send?.(text);
const complain = (part: string, error: unknown) =>
  process.stderr.write(`${part}: ${messageOf(error)}\n`);

// The server has ended, perhaps by `kill -9`, and the engine ends with it.
process.on('disconnect', () => process.exit(1));
process.on('message', (order: Order) => {
  if (order === 'written') announce();
  else if (order === 'stop') void stop().finally(() => process.exit(0));
  else void start(order.start);
});
if (!process.connected) process.exit(1);

async function start({ dynamodb, secrets, baseUrl, bundles }: Settings): Promise<void> {
  const load = bundles ? await bundling() : fromSource;
  const outbox = await startOutbox({
    onMail: (mail) => report({ mail }),
    onError: (error) => complain('mail', error),
  });
  const client = new DynamoDBClient({
    endpoint: dynamodb,
    requestHandler: { requestTimeout: 30_000, throwOnRequestTimeout: true },
  });
  const { queues, bus, schedules, work, subscribe } = await startEventConsumers({
    load,
    outbox,
    kept: 100,
    running: true,
    scheduleStore: scheduleStoreIn(client),
    onError: complain,
  });
  setEnvironment({
    dynamodb,
    secrets,
    baseUrl,
    queues,
    mail: outbox.endpoint,
    events: bus.endpoint,
    schedules: schedules.endpoint,
  });
  enforceGrants(grants);
  await subscribe();
  await work();
  await schedules.resume();
  const feed = await startStream({
    endpoint: dynamodb,
    client,
    tableName,
    queues,
    handler: await load('stream.sort'),
    idleInterval: unannounced,
    durable: true,
    onError: (error) => complain('stream.sort', error),
  });
  announce = feed.announce;
  onTableWrite(announce);
  // Consumers of the queues put events on the bus, and targets of the bus create schedules: they are closed in this
  // order.
  stop = async () => {
    for (const each of [{ close: feed.stop }, queues, bus, schedules, outbox])
      await each.close().catch((error: unknown) => complain('stop', error));
  };
  report({ started: { schedules: schedules.endpoint } });
}
