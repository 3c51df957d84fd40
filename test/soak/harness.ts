import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../local/environment.ts';
import { tableSchema } from '../../shared/db/table-schema.ts';
import { startNemesis } from '../faults/nemesis.ts';
import { type Choose, startProxy } from '../faults/proxy.ts';
import type { Credential } from '../model/tokens.ts';
import type { Stored } from './history.ts';

type Options = {
  /** Folder of the bundles to serve. */
  bundles: string;
  seed: number;
  /** Chooses the faults of the service's calls once it has started. */
  choose: Choose;
  /** Chooses faults while the remaining background work is processed; none by default. */
  chooseAtEnd?: Choose;
};

/**
 * Starts the service behind a proxy that injects faults. The engine on a file, its stale copy, and the service run in
 * separate processes for speed; they end with this process.
 */
export async function startRig({ bundles, seed, choose, chooseAtEnd }: Options) {
  // In memory if possible: the test is about a killed engine, not about a failing disk.
  const folder = await mkdtemp('/dev/shm/soak-').catch(() => mkdtemp(join(tmpdir(), 'soak-')));
  const nemesis = await startNemesis(folder);
  const proxy = await startProxy({
    engine: nemesis.endpoint,
    conflicts: true,
    staleIndex: { seed },
    durableTokens: true,
    record: false,
  });
  const log: string[] = [];
  const service = fork(join(import.meta.dirname, 'service.ts'), [proxy.url, bundles], {
    env: { ...process.env, LOG_LEVEL: 'error', AWS_ENDPOINT_URL_DYNAMODB: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  service.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log.push(text);
    if (log.length > 1_000) log.splice(0, 500);
  });
  const ended = once(service, 'exit').then(() => {
    throw new Error(`The service ended:\n${log.slice(-5).join('')}`);
  });
  ended.catch(() => {});
  const message = async <T>(): Promise<T> =>
    ((await Promise.race([once(service, 'message'), ended])) as [T])[0];
  const { url, projects } = await message<{ url: string; projects: Credential[] }>();
  proxy.choose(choose);

  /** Every item of the table, or of an index as the service reads it. */
  async function scan(IndexName?: string): Promise<Stored[]> {
    const client = new DynamoDBClient({
      endpoint: IndexName === undefined ? nemesis.endpoint() : proxy.url,
      region: 'local',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    const document = DynamoDBDocumentClient.from(client);
    const items: Stored[] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page: ScanCommandOutput = await document.send(
        new ScanCommand({ TableName: tableName, IndexName, ExclusiveStartKey }),
      );
      items.push(...((page.Items ?? []) as Stored[]));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    client.destroy();
    return items;
  }

  return {
    url,
    projects,
    proxy,
    nemesis,
    log,
    /** Waits until all background work is done, and 2 s more for the indexes. */
    async settle(): Promise<void> {
      proxy.choose(chooseAtEnd);
      for (let i = 0; i < 2; i += 1) {
        const drained = message();
        service.send('drain');
        await drained;
      }
      proxy.choose(undefined);
      await sleep(2_000);
    },
    async scan() {
      const indexes: Record<string, Stored[]> = {};
      for (const name of Object.keys(tableSchema.indexes)) indexes[name] = await scan(name);
      return { items: await scan(), indexes };
    },
    async close(): Promise<void> {
      const gone = once(service, 'exit');
      if (service.connected) service.disconnect();
      if (service.exitCode === null) await gone;
      await proxy.close();
      await nemesis.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
