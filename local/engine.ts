import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasJava, startDynamodbLocal } from './dynamodb-local.ts';
import { StartFailure } from './failure.ts';
import { freePort } from './loopback.ts';
import { type Guarded, startGuarded } from './process.ts';

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
 * Starts a DynamoDB engine on a free loopback port and waits until it responds. It ends with this process, however that
 * ends. Throws a `StartFailure` if no engine can run.
 * @param folder keeps the data; in memory without it.
 * @param options `shared`: one database for every caller; otherwise DynamoDB Local keeps one for each access key.
 */
export async function startEngine(folder?: string, { shared = true } = {}): Promise<Engine> {
  const external = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  if (external) return { name: 'external', endpoint: external, close: async () => {} };
  const name = chooseEngine();
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const place = folder ?? (name === 'dynoxide' ? await placeInMemory() : undefined);
    const engine =
      name === 'dynoxide'
        ? await dynoxide(port, place)
        : await startDynamodbLocal(port, folder, shared);
    const endpoint = `http://127.0.0.1:${port}`;
    const lastWords = await untilItAnswers(endpoint, engine);
    if (lastWords === undefined) {
      if (name === 'dynoxide' && place !== undefined) await indexStream(fileIn(place));
      // The engine has its files open: what has no name goes with it, however it ends.
      if (place !== folder) await forget(place);
      return { name, endpoint, pid: engine.pid, gone: engine.gone, close: () => engine.close() };
    }
    await engine.close();
    if (place !== folder) await forget(place);
    // Another process may have taken the port since it was found free.
    if (attempt === 3 || !/in use|bind/i.test(lastWords)) {
      throw new StartFailure(`The DynamoDB engine ${name} did not start: ${lastWords}`);
    }
  }
}

/** The engine that this platform can run, or the one that DYNAMODB_ENGINE names. */
export function chooseEngine(): Exclude<EngineName, 'external'> {
  const wanted = process.env['DYNAMODB_ENGINE'];
  if (wanted && wanted !== 'dynoxide' && wanted !== 'dynamodb-local') {
    throw new StartFailure(
      `DYNAMODB_ENGINE is '${wanted}'; it must be 'dynoxide' or 'dynamodb-local'.`,
    );
  }
  if (wanted !== 'dynamodb-local' && dynoxideBinary()) return 'dynoxide';
  if (wanted !== 'dynoxide' && hasJava()) return 'dynamodb-local';
  if (wanted === 'dynamodb-local') {
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

/** A file system in memory, which Linux has, and the bytes that must be free in it. */
const memory = { folder: '/dev/shm', room: 2 ** 30 };

/**
 * A folder in memory, if there is room for it. Only a database with a file can have the index; without it, a write takes
 * the engine 3 ms instead of 0.3 after 9,000 of them.
 */
async function placeInMemory(): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(memory.folder);
    if (bavail * bsize < memory.room) return undefined;
    return await mkdtemp(join(memory.folder, 'dynoxide-'));
  } catch {
    return undefined;
  }
}

const forget = (place: string | undefined) =>
  place === undefined ? undefined : rm(place, { recursive: true, force: true });

const fileIn = (folder: string): string => join(folder, 'dynoxide.db');

/**
 * Creates an index that dynoxide lacks: without it, each write searches all stream records for the last one and takes
 * four times as long after about 6,000 records. It only affects speed, so a failure is ignored.
 */
async function indexStream(file: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { timeout: 1_000 });
  try {
    // Matches its queries: by the number, which the column stores as text.
    database.exec(
      'CREATE INDEX IF NOT EXISTS place_in_stream ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    );
  } catch {
  } finally {
    database.close();
  }
}

function dynoxide(port: number, folder: string | undefined): Promise<Guarded> {
  const file = folder === undefined ? [] : ['--db-path', fileIn(folder)];
  return startGuarded([dynoxideBinary() ?? 'dynoxide', 'serve', '--port', `${port}`, ...file]);
}

/** Undefined once the engine lists its tables; its last output if it ends or fails. */
async function untilItAnswers(endpoint: string, engine: Guarded): Promise<string | undefined> {
  const deadline = Date.now() + 30_000;
  let last = 'it did not respond within 30 s.';
  while (Date.now() < deadline) {
    const words = engine.ended();
    if (words !== undefined) return words || 'it ended at once.';
    const answer = await listTables(endpoint).catch(() => undefined);
    if (answer?.ok && engine.ended() === undefined) return undefined;
    if (answer && !answer.ok) last = await answer.text();
    if (answer && answer.status < 500 && !answer.ok) return last;
    await sleep(15);
  }
  return last;
}

function listTables(endpoint: string): Promise<Response> {
  const scope = '20000101/local/dynamodb/aws4_request';
  return fetch(endpoint, {
    method: 'POST',
    body: '{}',
    signal: AbortSignal.timeout(5_000),
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      'x-amz-date': '20000101T000000Z',
      // Neither engine verifies the signature, but both require one.
      authorization: `AWS4-HMAC-SHA256 Credential=local/${scope}, SignedHeaders=host, Signature=0`,
      connection: 'close',
    },
  });
}
