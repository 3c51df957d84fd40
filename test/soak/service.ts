import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTable } from '../../local/engine/table.ts';
import { tableName } from '../../local/environment.ts';
import { fromBundles } from '../../local/load.ts';
import { startDeployed } from '../model/service.ts';

/** The service under test as a separate process: the bundles behind the gateway, and all event consumers. */

const [, , endpoint = '', bundles = ''] = process.argv;

const client = new DynamoDBClient({
  endpoint,
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
await createTable(client, tableName);
const service = await startDeployed({
  load: fromBundles(bundles),
  dynamodb: endpoint,
  longestPause: 200,
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
await service.rotateKeys();
const projects = [
  await service.project('red', { create_users_on_get: true }),
  await service.project('blue', { create_users_on_get: true }),
];
const pace = { interval: 50, longestPause: 200, timeout: 600 };
const feed = await service.follow(endpoint, client, pace);

/** Resolves when all background work for earlier writes is done. */
async function drain(): Promise<void> {
  for (let moved = true; moved; ) {
    moved = await feed.drained();
    moved = (await service.bus.settled()) || moved;
  }
}

process.on('message', () => {
  void drain().then(() => process.send?.({ drained: true, memory: process.memoryUsage().rss }));
});
// The driver has ended or disconnected.
process.on('disconnect', () => process.exit(0));
process.send?.({ url: service.url, projects });
