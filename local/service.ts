import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { cors } from '../lib/cors.ts';
import { grants } from '../lib/functions.ts';
import { routes } from '../shared/contract/api.ts';
import { messageOf } from '../shared/model/message-of.ts';
import { throttle as usualThrottle } from '../shared/model/throttle.ts';
import type { Loader } from './aws/lambda.ts';
import { enforceGrants } from './aws/permissions.ts';
import { type Secrets, startSecrets } from './aws/secrets-manager.ts';
import { type Background, forkBackground } from './background-process.ts';
import { welcome } from './banner.ts';
import { captchaKeysFile } from './captcha-keys.ts';
import { type Data, openData, unusable } from './engine/data.ts';
import { ensureTable } from './engine/table.ts';
import { onTableWrite } from './engine/table-writes.ts';
import { plainSecretNames, secretNames, setEnvironment, tableName } from './environment.ts';
import { StartFailure } from './failure.ts';
import { type Gateway, type GatewayOptions, startGateway } from './http/gateway.ts';
import { mailPages } from './http/mail-page.ts';
import { startPages } from './http/start-page.ts';
import { onInterruption } from './interruption.ts';
import { bundling, fromSource } from './load.ts';
import { projectsFile } from './operator.ts';
import { readOptions, type ServeOptions, usage } from './options.ts';
import { providerSecretsFile, providerSecretsIn } from './provider-secrets.ts';
import { type Credential, hasPublicKey, seedProjects } from './seed.ts';

/** Runs the whole service locally: `npm start`. */

/** Cleanup functions to run before the process ends, last one first. */
const closers: (() => Promise<void>)[] = [];
let ending: Promise<void> | undefined;

/**
 * Milliseconds for background functions in flight to end when the service does: as long as a delivery of a webhook that
 * hangs. Of data in memory, nothing that they would still write is left.
 */
const [patienceWithData, patienceInMemory] = [15_000, 500];
/** Milliseconds of a stop after which it says what it waits for. */
const silence = 3_000;

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(`${usage}\n`);
  else await serve(options);
} catch (error) {
  const sentence = error instanceof StartFailure ? error.message : (error as Error).stack;
  if (!ending) process.stderr.write(`${sentence}\n`);
  await stop(1);
}

async function serve(options: ServeOptions): Promise<void> {
  const answer = options.json ? takeStdout() : undefined;
  onInterruption(
    () => void stop(0),
    // The engine ends with this process in any case.
    () => process.exit(1),
  );
  endWithNpm();
  endWithStdin();
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
  const failed = (error: unknown) => {
    throw options.folder === undefined ? error : unusable(options.folder, error);
  };
  const file = data.file('secret.json');
  const providers = providerSecretsIn(data.file(providerSecretsFile));
  const captchaKeys = data.file(captchaKeysFile);
  const operatorSet = { providers, captchaKeys };
  const secrets = await startSecrets(secretNames.signing, {
    plain: plainSecretNames,
    file,
    ...operatorSet,
  }).catch(failed);
  closers.push(() => secrets.close());
  // Starts in parallel with the rest.
  const patience = options.folder === undefined ? patienceInMemory : patienceWithData;
  const background = forkBackground(options.json ? 2 : 1, patience);
  closers.push(() => background.close());
  const projects = await prepare(options, load, data, secrets).catch(failed);

  enforceGrants(grants);
  const addressed = Promise.withResolvers<void>();
  // A function reads the environment when it is loaded, and a request may come before it is complete.
  const loadLate: Loader = (each) => addressed.promise.then(() => load(each));
  const gateway = await listen(options, loadLate, { background, projects });
  closers.push(() => gateway.close());
  const baseUrl = `http://localhost:${gateway.port}`;
  const addresses = { dynamodb: endpoint, secrets: secrets.endpoint, baseUrl };
  const { schedules } = await background.start({ ...addresses, bundles: options.bundles });
  void background.gone.then(() => {
    if (ending) return;
    process.stderr.write('The background functions ended, so this server ends too.\n');
    void stop(1);
  });
  onTableWrite(background.announce);
  setEnvironment({ ...addresses, schedules });
  addressed.resolve();
  return { url: baseUrl, projects };
}

/** Initialises the data like a deployment: the table, a signing key, a project. */
async function prepare(
  options: ServeOptions,
  load: Loader,
  data: Data,
  secrets: Secrets,
): Promise<Credential[]> {
  const dynamodb = data.engine.endpoint;
  setEnvironment({ dynamodb, secrets: secrets.endpoint });
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
  client.destroy();
  return projects;
}

async function listen(
  { port, throttle: throttled, cors: origins }: ServeOptions,
  load: Loader,
  { background, projects }: { background: Background; projects: Credential[] },
): Promise<Gateway> {
  const hosts = ['127.0.0.1', '::1'];
  const [startPage, mailPage] = [startPages(projects), mailPages(background.mails)];
  const page: GatewayOptions['page'] = (method, target, request) =>
    startPage(method, target, request) ?? mailPage(method, target, request);
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

/**
 * Ends when standard input closes, if END_WITH_STDIN is set. The client's testing kit sets it and keeps standard input
 * open, through npm and its shell, as long as it runs. Other callers may have closed standard input from the start.
 */
function endWithStdin(): void {
  if (process.env['END_WITH_STDIN'] === undefined) return;
  for (const event of ['end', 'error']) process.stdin.once(event, () => void stop(0));
  process.stdin.resume();
}

/** Reserves standard output for one writer; all other output goes to standard error. */
function takeStdout(): (text: string) => void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text) => void write(text);
}

function stop(code: number): Promise<void> {
  ending ??= (async () => {
    const say = () =>
      process.stderr.write(
        `Waiting for background functions, such as deliveries of webhooks, for up to ${patienceWithData / 1_000} s. Ctrl-C again ends at once.\n`,
      );
    setTimeout(say, silence);
    for (const close of closers.toReversed()) {
      await close().catch((error: unknown) => process.stderr.write(`${messageOf(error)}\n`));
    }
    process.exit(code);
  })();
  return ending;
}
