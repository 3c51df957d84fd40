import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Engine } from '../../local/engine/engine.ts';
import { createTable } from '../../local/engine/table.ts';
import { tableName } from '../../local/environment.ts';
import { bundling } from '../../local/load.ts';
import type { StreamFeed } from '../../local/stream/stream.ts';
import { routes } from '../../shared/contract/api.ts';
import { publicKeys } from '../../shared/db/key-prefixes.ts';
import { ownEngine } from '../faults/nemesis.ts';
import { startDeployed } from '../model/service.ts';
import type { Credential } from '../model/tokens.ts';
import { rawTable } from '../support/table.ts';
import { movable } from './movable.ts';
import { clientRequest, type Target } from './target.ts';

/**
 * The whole service in a separate process whose memory is watched: the bundles, the gateway, and the functions of the
 * stream. Each chapter has a new table in a new engine, and new projects, without a restart of the functions. A local
 * engine keeps all stream records while it runs, and every write scans all of them.
 */

/** A request to the process: to start a chapter with projects of these settings, or to report its memory. */
export type Question = { chapter: number; settings: object } | 'memory';
export type Answer = { chapter: Pick<Target, 'url' | 'projects' | 'strict'> } | { memory: Memory };

/** Bytes, right after a collection. */
export type Memory = { rss: number; heap: number; external: number };

const folder = process.argv[2] ?? '';
const data = join(folder, 'data');
const database = await movable();
const load = await bundling(folder);
const service = await startDeployed({ load, dynamodb: database.url, kept: 100 });
// Before the first request, because bundling takes longer than a request's timeout.
for (const { name } of [...routes, { name: 'fallback.notFound' as const }]) await load(name);
let engine: Engine | undefined;
let table: ReturnType<typeof rawTable> | undefined;
let running: StreamFeed | undefined;

async function begin(chapter: number, settings: object): Promise<Answer> {
  await running?.stop();
  await service.queues.workedOff();
  await service.bus.settled();
  service.schedules.clear();
  const published = await table?.query(publicKeys);
  await engine?.close();
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true });
  engine = await ownEngine(data);
  const client = new DynamoDBClient({ endpoint: engine.endpoint });
  await createTable(client, tableName);
  table = rawTable({ endpoint: engine.endpoint, accessKeyId: 'local' }, tableName);
  // Instances sign with the key that they have read for minutes, longer than a chapter takes.
  await table.putAll(published ?? []);
  database.moveTo(engine.endpoint);
  await service.rotateKeys();
  running = await service.follow(engine.endpoint, client);
  const project = async (project_id: string) => {
    const made = await service.project(project_id, settings);
    await service.operate(clientRequest({ project_id }));
    return made;
  };
  const projects: [Credential, Credential] = [
    await project(`fuzz-${chapter}`),
    await project(`other-${chapter}`),
  ];
  const strict = await service.project(`strict-${chapter}`, { ...settings, mfa: 'required' });
  return { chapter: { url: service.url, projects, strict } };
}

process.on('message', (question: Question) => {
  void (async () => {
    if (question !== 'memory')
      return process.send?.(await begin(question.chapter, question.settings));
    globalThis.gc?.();
    const { rss, heapUsed: heap, external } = process.memoryUsage();
    return process.send?.({ memory: { rss, heap, external } } satisfies Answer);
  })();
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
