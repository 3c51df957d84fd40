import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';

type Ready = { url: string; projects: { project_id: string; secret: string }[] };

/** Runs `npm start` on a folder and waits until it accepts requests. */
async function serve(folder: string) {
  const child = spawn(
    process.execPath,
    ['local/serve.ts', '--json', '--port', '0', '--data', folder],
    { env: { ...process.env, LOG_LEVEL: 'silent' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const exit = once(child, 'exit');
  const ready = JSON.parse(line.toString()) as Ready;
  return { ready, kill: (signal: NodeJS.Signals) => (child.kill(signal), exit) };
}

async function createUser({ url, projects }: Ready, email: string): Promise<number> {
  const [{ project_id, secret } = { project_id: '', secret: '' }] = projects;
  const { status } = await fetch(`${url}/users`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${project_id}:${secret}`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ email }),
  });
  return status;
}

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

test('who follows the stream goes on where it was, even after a kill -9', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'));
  const position = async () => (await positionIn(folder)) ?? 0;
  const first = await serve(folder);
  expect(await createUser(first.ready, 'ada@example.com')).toBe(201);
  await expect.poll(position, { timeout: 30_000 }).toBeGreaterThan(0);
  const before = await position();
  await first.kill('SIGKILL');
  const second = await serve(folder);
  expect(await position()).toBeGreaterThanOrEqual(before);
  expect(await createUser(second.ready, 'bob@example.com')).toBe(201);
  await expect.poll(position, { timeout: 30_000 }).toBeGreaterThan(before);
  await second.kill('SIGTERM');
  await rm(folder, { recursive: true, maxRetries: 5 });
});
