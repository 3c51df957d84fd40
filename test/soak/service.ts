import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { grants } from '../../lib/functions.ts';
import {
  mailSecretName,
  secretName,
  setEnvironment,
  tableName,
  webhookSecretName,
} from '../../local/environment.ts';
import { startEventConsumers } from '../../local/event-consumers.ts';
import { startGateway } from '../../local/gateway.ts';
import { invoke, timeouts } from '../../local/lambda.ts';
import { fromBundles } from '../../local/load.ts';
import { startOutbox } from '../../local/outbox.ts';
import { enforceGrants } from '../../local/permissions.ts';
import { startSecrets } from '../../local/secrets.ts';
import { startStream } from '../../local/stream.ts';
import { createTable } from '../../local/table.ts';
import { routes } from '../../shared/contract/api.ts';

/** The service under test in a process of its own: the bundles behind the gateway, and everything that follows events. */

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
const { queues, bus, schedules, work, subscribe } = await startEventConsumers({
  load,
  longestPause: 200,
  onError: (_, error) => complain(error),
});
setEnvironment({
  dynamodb: endpoint,
  events: bus.endpoint,
  schedules: schedules.endpoint,
  queues,
  baseUrl: gateway.url,
});
await subscribe();
await work();

const projects: { project_id: string; secret: string }[] = [];
for (const project_id of ['red', 'blue']) {
  const request = { action: 'create', project_id, name: project_id, create_users_on_get: true };
  const handler = await load('projects.admin');
  const made = await invoke('projects.admin', handler, request, timeouts['projects.admin']);
  projects.push({ project_id, secret: (made as { secret: string }).secret });
}

const pace = { interval: 50, longestPause: 200, timeout: 600 };
const handler = await load('stream.sort');
const feed = await startStream({ endpoint, client, tableName, handler, queues, ...pace });

/** Resolves when nothing follows any more from what was written before. */
async function drain(): Promise<void> {
  for (let moved = true; moved; ) {
    moved = await feed.drained();
    moved = (await bus.settled()) || moved;
  }
}

process.on('message', () => {
  void drain().then(() => process.send?.({ drained: true, memory: process.memoryUsage().rss }));
});
// The driver is gone, or has what it wanted.
process.on('disconnect', () => process.exit(0));
process.send?.({ url: gateway.url, projects });
