/** @module-tag proof */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { local } from '../support/local-calls.ts';
import { serve as receive } from '../support/serve.ts';
import { createUser, post, serve } from '../support/server.ts';

/** The stored position in the stream; undefined if there is none yet. */
async function positionIn(folder: string): Promise<number | undefined> {
  const lock = JSON.parse(await readFile(join(folder, 'lock.json'), 'utf8')) as {
    engine: { endpoint: string };
  };
  const client = new DynamoDBClient({ endpoint: lock.engine.endpoint, ...local });
  const Key = { reader: { S: 'stream.sort' } };
  const { Item } = await client.send(
    new GetItemCommand({ TableName: 'local-stream-positions', Key }),
  );
  client.destroy();
  const [last] = Object.values(Item?.['shards']?.M ?? {});
  return last && Number(last.S);
}

test('a pending redelivery is sent after a kill -9 and a restart', async () => {
  const folder = newFolder(onTestFinished);
  const received: string[] = [];
  const receiver = await receive((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(204).end();
  }, onTestFinished);
  const first = await serve(['--data', folder]);
  const webhook = {
    url: receiver.replace('127.0.0.1', 'localhost'),
    event_types: ['user.created'],
  };
  const { body } = await post(first.ready, '/webhooks', webhook);
  const { webhook_id } = body as unknown as { webhook_id: string };
  const since = new Date(Date.now() - 60_000).toISOString();
  await createUser(first.ready, 'ada@example.com');
  await expect.poll(() => received, { timeout: 30_000 }).toHaveLength(1);
  // An event is delivered a moment before it is in the feed, which redeliveries read.
  const [{ project_id, secret } = { project_id: '', secret: '' }] = first.ready.projects;
  const headers = { authorization: `Basic ${btoa(`${project_id}:${secret}`)}` };
  const feed = async () => (await fetch(`${first.ready.url}/events`, { headers })).text();
  await expect.poll(feed, { timeout: 30_000 }).toContain(received[0]);
  const range = { since, until: new Date(Date.now() + 60_000).toISOString() };
  const accepted = await post(first.ready, `/webhooks/${webhook_id}/redeliver`, range);
  expect(accepted.status).toBe(202);
  // The redelivery starts after five seconds at the earliest.
  first.child.kill('SIGKILL');
  await first.exit;
  expect(received).toHaveLength(1);
  const second = await serve(['--data', folder]);
  await expect.poll(() => received, { timeout: 60_000 }).toHaveLength(2);
  expect(received[1]).toBe(received[0]);
  second.child.kill('SIGTERM');
  await second.exit;
});

test('the position in the stream survives a kill -9', async () => {
  const folder = newFolder(onTestFinished);
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
});
