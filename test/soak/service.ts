import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { type FedFunction, feeds } from '../../lib/feeds.ts';
import { grants } from '../../lib/grants.ts';
import {
  mailSecretName,
  secretName,
  setEnvironment,
  tableName,
  webhookSecretName,
} from '../../local/environment.ts';
import { startFollowers } from '../../local/followers.ts';
import { startGateway } from '../../local/gateway.ts';
import { type Handler, invoke, timeouts } from '../../local/lambda.ts';
import { fromBundles } from '../../local/load.ts';
import { startOutbox } from '../../local/outbox.ts';
import { enforceGrants } from '../../local/permissions.ts';
import { startSecrets } from '../../local/secrets.ts';
import { startStream, type StreamFeed } from '../../local/stream.ts';
import { createTable } from '../../local/table.ts';
import { routes } from '../../shared/contract/api.ts';

/** The service under test in a process of its own: the bundles behind the gateway, and everything that follows events. */

type Record = { dynamodb: { Keys: { pk: { S: string } } } };
type Answered = { batchItemFailures: { itemIdentifier: string }[] };
const shardCount = 4;

const [, , endpoint = '', bundles = ''] = process.argv;

const load = fromBundles(bundles);
const client = new DynamoDBClient({
  endpoint,
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
await createTable(client, tableName);
const secrets = await startSecrets(secretName, { plain: [mailSecretName, webhookSecretName] });
const outbox = await startOutbox();
setEnvironment({ dynamodb: endpoint, secrets: secrets.endpoint, mail: outbox.endpoint });
await secrets.rotate(await load('keys.rotate'));

enforceGrants(grants);
const complain = (error: unknown) => process.stderr.write(`${String(error)}\n`);
const gateway = await startGateway({ routes, load, onError: (_, error) => complain(error) });
const { bus, schedules, subscribe } = await startFollowers({
  load,
  onError: (_, error) => complain(error),
});
setEnvironment({
  dynamodb: endpoint,
  events: bus.endpoint,
  schedules: schedules.endpoint,
  baseUrl: gateway.url,
});
await subscribe();

const projects: { project_id: string; secret: string }[] = [];
for (const project_id of ['red', 'blue']) {
  const request = { action: 'create', project_id, name: project_id, create_users_on_get: true };
  const handler = await load('projects.operate');
  const made = await invoke('projects.operate', handler, request, timeouts['projects.operate']);
  projects.push({ project_id, secret: (made as { secret: string }).secret });
}

const fed: StreamFeed[] = [];
for (const name of Object.keys(feeds) as FedFunction[]) {
  const handler = sharded(await load(name));
  const pace = { interval: 50, longestPause: 200, timeout: 600 };
  fed.push(await startStream({ name, endpoint, client, tableName, handler, ...pace }));
}

/**
 * Invokes a function as a stream of several shards does: what is told of one partition stays in its order, the rest goes
 * on beside it, and what comes behind a failure comes once more.
 */
function sharded(handler: Handler): Handler {
  return async ({ Records }: { Records: Record[] }, context: Context) => {
    const shards = Map.groupBy(Records, ({ dynamodb }) => shardOf(dynamodb.Keys.pk.S));
    const answers = await Promise.all(
      [...shards.values()].map((some) => handler({ Records: some } as never, context)),
    );
    return {
      batchItemFailures: (answers as Answered[]).flatMap((each) => each.batchItemFailures),
    };
  };
}

function shardOf(pk: string): number {
  let hash = 0;
  for (const character of pk) hash = (31 * hash + (character.codePointAt(0) ?? 0)) | 0;
  return Math.abs(hash) % shardCount;
}

/** Resolves when nothing follows any more from what was written before. */
async function drain(): Promise<void> {
  for (let moved = true; moved; ) {
    moved = false;
    for (const feed of fed) moved = (await feed.drained()) || moved;
    moved = (await bus.settled()) || moved;
  }
}

process.on('message', () => {
  void drain().then(() => process.send?.({ drained: true, memory: process.memoryUsage().rss }));
});
// The driver is gone, or has what it wanted.
process.on('disconnect', () => process.exit(0));
process.send?.({ url: gateway.url, projects });
