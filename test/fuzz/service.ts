import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { grants } from '../../lib/functions.ts';
import type { Engine } from '../../local/engine.ts';
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
import { bundling } from '../../local/load.ts';
import { mailPages } from '../../local/mail-page.ts';
import { startOutbox } from '../../local/outbox.ts';
import { enforceGrants } from '../../local/permissions.ts';
import { startSecrets } from '../../local/secrets.ts';
import { type StreamFeed, startStream } from '../../local/stream.ts';
import { createTable } from '../../local/table.ts';
import { routes } from '../../shared/contract/api.ts';
import { ownEngine } from '../faults/nemesis.ts';
import { clientRequest, type Credential } from './target.ts';

/**
 * The whole service in a process of its own, whose memory is watched: the bundles, the gateway, and the functions of
 * the stream. Each chapter has a new table in a new engine, and new projects; the functions do not notice. A local
 * engine keeps every record of a stream for as long as it runs, and every write passes by all of them.
 */

/** What the process is asked: to begin a chapter with projects of these settings, or what memory it uses. */
export type Question = { chapter: number; settings: object } | 'memory';
export type Answer =
  | { chapter: { url: string; projects: [Credential, Credential] } }
  | { memory: Memory };

/** Bytes, right after a collection. */
export type Memory = { rss: number; heap: number; external: number };

const folder = process.argv[2] ?? '';
const data = join(folder, 'data');
const database = await movable();
const secrets = await startSecrets(secretName, { plain: [mailSecretName, webhookSecretName] });
const outbox = await startOutbox();
const load = await bundling(folder);
const { queues, bus, schedules, work, subscribe } = await startEventConsumers({ load, kept: 100 });
setEnvironment({
  dynamodb: database.url,
  secrets: secrets.endpoint,
  mail: outbox.endpoint,
  events: bus.endpoint,
  schedules: schedules.endpoint,
  queues,
});
enforceGrants(grants);
const gateway = await startGateway({ routes, load, page: mailPages(outbox.mails) });
process.env['BASE_URL'] = gateway.url;
await subscribe();
await work();
// Before the first request: bundling takes longer than a request may.
for (const { name } of [...routes, { name: 'fallback.notFound' as const }]) await load(name);
let engine: Engine | undefined;
let running: StreamFeed | undefined;

async function begin(chapter: number, settings: object): Promise<Answer> {
  await running?.stop();
  await queues.workedOff();
  await bus.settled();
  schedules.clear();
  await engine?.close();
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true });
  engine = await ownEngine(data);
  database.moveTo(engine.endpoint);
  const client = new DynamoDBClient({ endpoint: engine.endpoint });
  await createTable(client, tableName);
  await secrets.rotate(await load('keys.rotate'));
  const { endpoint } = engine;
  const handler = await load('stream.sort');
  running = await startStream({ endpoint, client, tableName, handler, queues });
  const admin = await load('projects.admin');
  const operate = (request: object) =>
    invoke('projects.admin', admin, request, timeouts['projects.admin']);
  const project = async (project_id: string) => {
    const made = await operate({ action: 'create', name: 'Fuzz', project_id, ...settings });
    await operate(clientRequest({ project_id }));
    return made as Credential;
  };
  const projects: [Credential, Credential] = [
    await project(`fuzz-${chapter}`),
    await project(`other-${chapter}`),
  ];
  return { chapter: { url: gateway.url, projects } };
}

/** An address of an engine that stays while engines come and go. */
async function movable() {
  let port = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => sockets.delete(one));
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    moveTo(url: string): void {
      port = Number(new URL(url).port);
      for (const socket of sockets) socket.destroy();
    },
  };
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
