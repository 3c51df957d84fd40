import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createUser, serve } from '../support/server.ts';

/** How far the stream is worked off, as the database has it; undefined where it does not know yet. */
async function positionIn(folder: string): Promise<number | undefined> {
  const lock = JSON.parse(await readFile(join(folder, 'lock.json'), 'utf8')) as {
    engine: { endpoint: string };
  };
  const client = new DynamoDBClient({
    endpoint: lock.engine.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const Key = { reader: { S: 'stream.sort' } };
  const { Item } = await client.send(
    new GetItemCommand({ TableName: 'local-stream-positions', Key }),
  );
  client.destroy();
  const [last] = Object.values(Item?.['shards']?.M ?? {});
  return last && Number(last.S);
}

test('who follows the stream goes on where it was, even after a kill -9', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'));
  const position = async () => (await positionIn(folder)) ?? 0;
  const first = await serve(['--data', folder]);
  expect((await createUser(first.ready, 'ada@example.com')).status).toBe(201);
  await expect.poll(position, { timeout: 30_000 }).toBeGreaterThan(0);
  const before = await position();
  first.child.kill('SIGKILL');
  await first.exit;
  const second = await serve(['--data', folder]);
  expect(await position()).toBeGreaterThanOrEqual(before);
  expect((await createUser(second.ready, 'bob@example.com')).status).toBe(201);
  await expect.poll(position, { timeout: 30_000 }).toBeGreaterThan(before);
  second.child.kill('SIGTERM');
  await second.exit;
  await rm(folder, { recursive: true, maxRetries: 5 });
});
