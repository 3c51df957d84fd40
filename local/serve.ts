import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { cors } from '../lib/cors.ts';
import { grants } from '../lib/functions.ts';
import { routes } from '../shared/contract/api.ts';
import { throttle as usualThrottle } from '../shared/model/limits.ts';
import { welcome } from './banner.ts';
import { openData, unusable } from './data.ts';
import {
  mailSecretName,
  secretName,
  setEnvironment,
  tableName,
  webhookSecretName,
} from './environment.ts';
import { startEventConsumers } from './event-consumers.ts';
import { messageOf, StartFailure } from './failure.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
import type { Loader } from './lambda.ts';
import { bundling, fromSource } from './load.ts';
import { mailPages } from './mail-page.ts';
import { projectsFile } from './operator.ts';
import { readOptions, type ServeOptions, usage } from './options.ts';
import { type Outbox, startOutbox } from './outbox.ts';
import { enforceGrants } from './permissions.ts';
import { startSecrets } from './secrets.ts';
import { type Credential, hasPublicKey, seedProjects } from './seed.ts';
import { startPages } from './start-page.ts';
import { startStream } from './stream.ts';
import { ensureTable } from './table.ts';

/** Runs the whole service locally: `npm start`. */

/** Cleanup functions to run before the process ends, last one first. */
const closers: (() => Promise<void>)[] = [];
let ending: Promise<void> | undefined;

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(`${usage}\n`);
  else await serve(options);
} catch (error) {
  const sentence = error instanceof StartFailure ? error.message : (error as Error).stack;
  process.stderr.write(`${sentence}\n`);
  await stop(1);
}

async function serve(options: ServeOptions): Promise<void> {
  const answer = options.json ? takeStdout() : undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second signal exits at once; the engine ends with this process in any case.
      if (ending) process.exit(1);
      void stop(0);
    });
  }
  endWithNpm();
  const load = options.bundles ? await bundling() : fromSource;
  const { url, projects } = await start(options, load);
  if (ending) return;
  if (answer) answer(`${JSON.stringify({ url, projects })}\n`);
  else {
    const place = options.folder === undefined ? 'data in memory' : `data in ${options.folder}`;
    process.stdout.write(welcome(url, projects, place));
  }
}

async function start(options: ServeOptions, load: Loader) {
  const data = await openData(options.folder);
  closers.push(() => data.close());
  const { endpoint, gone, name } = data.engine;
  // It is slower and behaves differently in some cases, so the user should know.
  if (name === 'dynamodb-local') process.stderr.write("The engine is Amazon's DynamoDB Local.\n");
  if (name === 'external') process.stderr.write(`The engine is the one at ${endpoint}.\n`);
  void gone?.then(() => {
    if (ending) return;
    process.stderr.write('The DynamoDB engine ended, so this server ends too.\n');
    void stop(1);
  });
  const outbox = await startOutbox((error) => process.stderr.write(`mail: ${messageOf(error)}\n`));
  closers.push(() => outbox.close());
  const { client, projects } = await prepare(options, load, data, outbox).catch(
    (error: unknown) => {
      throw options.folder === undefined ? error : unusable(options.folder, error);
    },
  );

  enforceGrants(grants);
  const gateway = await listen(options, load, { outbox, projects });
  closers.push(() => gateway.close());
  const url = `http://localhost:${gateway.port}`;
  const complain = (part: string, error: unknown) =>
    process.stderr.write(`${part}: ${messageOf(error)}\n`);
  const { queues, bus, schedules, work, subscribe } = await startEventConsumers({
    load,
    outbox,
    kept: 100,
    running: true,
    onError: complain,
  });
  // Consumers of the queues put events on the bus, and targets of the bus create schedules: they are closed in this
  // order.
  closers.push(
    () => schedules.close(),
    () => bus.close(),
    () => queues.close(),
  );
  setEnvironment({
    dynamodb: endpoint,
    events: bus.endpoint,
    schedules: schedules.endpoint,
    queues,
    baseUrl: url,
  });
  await subscribe();
  await work();
  const feed = await startStream({
    ...{ endpoint, client, tableName, queues },
    handler: await load('stream.sort'),
    durable: true,
    onError: (error) => complain('stream.sort', error),
  });
  closers.push(() => feed.stop());
  return { url, projects };
}

/** Initialises the data like a deployment: the table, a signing key, a project. */
async function prepare(
  options: ServeOptions,
  load: Loader,
  data: Awaited<ReturnType<typeof openData>>,
  outbox: Outbox,
): Promise<{ client: DynamoDBClient; projects: Credential[] }> {
  const dynamodb = data.engine.endpoint;
  const file = data.file('secret.json');
  const secrets = await startSecrets(secretName, {
    plain: [mailSecretName, webhookSecretName],
    file,
  });
  closers.push(() => secrets.close());
  setEnvironment({ dynamodb, secrets: secrets.endpoint, mail: outbox.endpoint });
  const client = new DynamoDBClient({
    endpoint: dynamodb,
    // The first call to DynamoDB Local may take seconds.
    requestHandler: { requestTimeout: 30_000, throwOnRequestTimeout: true },
  });
  await ensureTable(client, tableName);
  if (!secrets.rotated() || !(await hasPublicKey(client))) {
    await secrets.rotate(await load('keys.rotate'));
  }
  const projects = await seedProjects(client, options.projects, data.file(projectsFile));
  return { client, projects };
}

async function listen(
  { port, throttle: throttled, cors: origins }: ServeOptions,
  load: Loader,
  { outbox, projects }: { outbox: Outbox; projects: Credential[] },
): Promise<Gateway> {
  const hosts = ['127.0.0.1', '::1'];
  const [startPage, mailPage] = [startPages(projects), mailPages(outbox.mails)];
  const page: GatewayOptions['page'] = (method, target, request) =>
    startPage(method, target, request) ?? mailPage(method, target);
  const throttle = throttled ? usualThrottle : undefined;
  try {
    const pages = origins.length > 0 && { cors: { ...cors, origins } };
    return await startGateway({ routes, load, port, throttle, hosts, page, ...pages });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartFailure(
        `Port ${port} is in use. Stop the program that uses it, or choose another port with --port.`,
      );
    }
    if (code === 'EACCES') throw new StartFailure(`This user may not listen on port ${port}.`);
    throw error;
  }
}

/** npm forwards Ctrl-C but not its own death: without this, a killed `npm start` would leave a server behind. */
function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] !== 'start') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void stop(0);
  }, 250).unref();
}

/** Reserves standard output for one writer; all other output goes to standard error. */
function takeStdout(): (text: string) => void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text) => void write(text);
}

function stop(code: number): Promise<void> {
  ending ??= (async () => {
    for (const close of closers.toReversed()) {
      await close().catch((error: unknown) => process.stderr.write(`${messageOf(error)}\n`));
    }
    process.exit(code);
  })();
  return ending;
}
