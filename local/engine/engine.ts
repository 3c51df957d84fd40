import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, open, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartFailure } from '../failure.ts';
import { freePort } from '../loopback.ts';
import { type Guarded, startGuarded } from '../process.ts';
import { hasJava, startDynamodbLocal } from './dynamodb-local.ts';
import { memoryFolder } from './memory-folder.ts';

/** `external`: an engine that is already running at AWS_ENDPOINT_URL_DYNAMODB. */
export type EngineName = 'dynoxide' | 'dynamodb-local' | 'external';

export type Engine = {
  name: EngineName;
  endpoint: string;
  /** Missing for an external engine. */
  pid?: number;
  /** Resolves when the engine has ended for any reason. */
  gone?: Promise<unknown>;
  close(): Promise<void>;
};

/**
 * Starts a DynamoDB engine on a free loopback port and waits until it responds. It ends with this process, even after a
 * crash or `kill -9`. Throws a `StartFailure` if no engine can run.
 * @param folder keeps the data; in memory without it.
 * @param options `shared`: one database for every caller; otherwise DynamoDB Local keeps one for each access key.
 */
export async function startEngine(folder?: string, { shared = true } = {}): Promise<Engine> {
  const external = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  if (external) return { name: 'external', endpoint: external, close: async () => {} };
  const name = chooseEngine();
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const endpoint = `http://${name === 'dynoxide' ? unguessableLoopback() : '127.0.0.1'}:${port}`;
    const { engine, lastWords } =
      name === 'dynoxide'
        ? await startDynoxide(endpoint, folder)
        : await whenItAnswers(endpoint, await startDynamodbLocal(port, folder, shared));
    if (lastWords === undefined)
      return { name, endpoint, pid: engine.pid, gone: engine.gone, close: () => engine.close() };
    await engine.close();
    // Another process may have taken the port since it was found free.
    if (attempt === 3 || !/in use|bind/i.test(lastWords)) {
      throw new StartFailure(`The DynamoDB engine ${name} did not start: ${lastWords}`);
    }
  }
}

/** The engine that this platform can run, or the one that DYNAMODB_ENGINE names. */
export function chooseEngine(): Exclude<EngineName, 'external'> {
  const choice = process.env['DYNAMODB_ENGINE'];
  if (choice && choice !== 'dynoxide' && choice !== 'dynamodb-local') {
    throw new StartFailure(
      `DYNAMODB_ENGINE is '${choice}'; it must be 'dynoxide' or 'dynamodb-local'.`,
    );
  }
  if (choice !== 'dynamodb-local' && dynoxideBinary()) return 'dynoxide';
  if (choice !== 'dynoxide' && hasJava()) return 'dynamodb-local';
  if (choice === 'dynamodb-local') {
    throw new StartFailure(
      "DYNAMODB_ENGINE is 'dynamodb-local', which needs Java 17 or later, but there is no Java on the PATH.",
    );
  }
  throw new StartFailure(
    `There is no DynamoDB engine for this machine (${process.platform} ${process.arch}): ` +
      "dynoxide comes for Linux on x64 only, and Amazon's DynamoDB Local needs Java 17 or later. " +
      'Install Java, or give the address of a running engine in AWS_ENDPOINT_URL_DYNAMODB.',
  );
}

function dynoxideBinary(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    return undefined;
  }
}

/** The bytes that must be free in memory for a database there. */
export const roomInMemory = 2 ** 30;

/**
 * A folder in memory, if there is room for it. Only a database with a file can have the index; without it, a write
 * takes the engine 3 ms instead of 0.3 after 9,000 of them.
 */
async function placeInMemory(): Promise<string | undefined> {
  const folder = memoryFolder(roomInMemory);
  if (folder === undefined) return undefined;
  return mkdtemp(join(folder, 'dynoxide-')).catch(() => undefined);
}

const fileIn = (folder: string): string => join(folder, 'dynoxide.db');

/**
 * Creates an index that dynoxide lacks: without it, each write searches all stream records for the last one and takes
 * four times as long after about 6,000 records. It only affects speed, so a failure is ignored.
 */
async function indexStream(file: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 1_000 });
    // Matches its queries: by the number, which the column stores as text.
    database.exec(
      'CREATE INDEX IF NOT EXISTS place_in_stream ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    );
  } catch {
  } finally {
    database?.close();
  }
}

/**
 * One of the 16 million loopback addresses of Linux. dynoxide responds to any website that reaches it, and lets its
 * scripts read the response. A website can scan ports through a browser, but not all ports of all addresses.
 */
const unguessableLoopback = (): string => `127.${[...randomBytes(3)].join('.')}`;

/**
 * Lets only their owner read the files of the database, also in a folder that others may read: they contain e-mails and
 * digests. SQLite gives its other files the mode of the database file, and treats an empty file as a new database.
 */
async function makePrivate(file: string): Promise<void> {
  await (await open(file, 'a', 0o600)).close();
  // Also fixes files of an earlier release. Fails on a file system without modes.
  for (const each of [file, `${file}-wal`, `${file}-shm`]) await chmod(each, 0o600).catch(() => {});
}

/**
 * Without a folder, the database file is unlinked once it is open, so it disappears with the engine even after a crash.
 */
async function startDynoxide(endpoint: string, folder: string | undefined) {
  const { hostname, port } = new URL(endpoint);
  const place = folder ?? (await placeInMemory());
  try {
    if (place !== undefined) await makePrivate(fileIn(place));
    const file = place === undefined ? [] : ['--db-path', fileIn(place)];
    const at = ['--host', hostname, '--port', port];
    const command = [dynoxideBinary() ?? 'dynoxide', 'serve', ...at, ...file];
    const started = await whenItAnswers(endpoint, await startGuarded(command));
    if (place !== undefined && started.lastWords === undefined) await indexStream(fileIn(place));
    return started;
  } finally {
    if (place !== undefined && place !== folder) await rm(place, { recursive: true, force: true });
  }
}

/** Waits until an engine responds, ends or fails. `lastWords` is its last output if it ended or failed. */
const whenItAnswers = async (endpoint: string, engine: Guarded) => ({
  engine,
  lastWords: await untilItAnswers(endpoint, engine),
});

/** Undefined once the engine lists its tables; its last output if it ends or fails. */
async function untilItAnswers(endpoint: string, engine: Guarded): Promise<string | undefined> {
  const deadline = Date.now() + 30_000;
  let last = 'it did not respond within 30 s.';
  while (Date.now() < deadline) {
    const words = engine.ended();
    if (words !== undefined) return words || 'it ended at once.';
    const answer = await listTables(endpoint).catch(() => undefined);
    if (answer?.status === 200 && engine.ended() === undefined) return undefined;
    if (answer && answer.status !== 200) last = answer.body;
    if (answer && answer.status < 500 && answer.status !== 200) return last;
    await sleep(15);
  }
  return last;
}

/** Without `fetch`, which takes the proxy of the environment also for an address that no NO_PROXY names. */
async function listTables(endpoint: string): Promise<{ status: number; body: string }> {
  const scope = '20000101/local/dynamodb/aws4_request';
  const request = httpRequest(endpoint, {
    method: 'POST',
    agent: false,
    signal: AbortSignal.timeout(5_000),
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      'x-amz-date': '20000101T000000Z',
      // Neither engine verifies the signature, but both require one.
      authorization: `AWS4-HMAC-SHA256 Credential=local/${scope}, SignedHeaders=host, Signature=0`,
    },
  });
  request.end('{}');
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}
