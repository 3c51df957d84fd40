import { execFile } from 'node:child_process';
import { mkdir, readFile, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../local/loopback.ts';
import { startGuarded } from '../../local/process.ts';

const startTimeout = 30_000;

type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken: string };

export type Emulator = {
  url: string;
  /** The output of the emulator and of the functions. */
  log(): Promise<string>;
  /** The credentials of a function that has run. */
  credentialsOf(name: string): Promise<Credentials>;
  /** Ends it and the functions' processes; returns the command lines of processes that it had left behind. */
  stop(): Promise<string[]>;
};

/**
 * Starts MiniStack on a free loopback port. It ends with this process, even after a crash.
 *
 * @param options.environment variables that reach the functions too: they run in processes that the emulator starts.
 */
export async function startEmulator(
  python: string,
  { folder, environment }: { folder: string; environment: Record<string, string> },
): Promise<Emulator> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const temporary = join(folder, 'tmp');
  const logFile = join(folder, 'emulator.log');
  const credentialsFile = join(folder, 'credentials.jsonl');
  await mkdir(temporary, { recursive: true });
  const variables = {
    ...environment,
    // It runs the functions with the first `node` on the PATH: the one that runs this process.
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    GATEWAY_PORT: String(port),
    BIND_HOST: '127.0.0.1',
    // Signatures are verified, and the policies of the roles evaluated.
    AUTH: 'true',
    FUNCTION_CREDENTIALS: credentialsFile,
    TMPDIR: temporary,
    STATE_DIR: join(folder, 'state'),
    IOT_MTLS_ENABLED: '0',
    SFTP_ENABLED: '0',
  };
  const guarded = await startGuarded(
    [
      ...['sh', '-c', 'log=$1; shift; exec env "$@" >"$log" 2>&1', 'emulator', logFile],
      ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      ...[python, join(import.meta.dirname, 'emulator.py')],
    ],
    { cwd: folder },
  );
  const log = () => readFile(logFile, 'utf8').catch(() => '');
  await untilReady(url, async () => {
    if (guarded.ended() !== undefined)
      throw new Error(`The emulator ended: ${(await log()).slice(-2_000)}`);
  });
  return {
    url,
    log,
    async credentialsOf(name) {
      const lines = (await readFile(credentialsFile, 'utf8')).trim().split('\n');
      const all = lines.map((line) => JSON.parse(line) as Record<string, string>);
      const found = all.find((each) => each['function'] === name);
      if (!found) throw new Error(`The function ${name} was never started.`);
      return {
        accessKeyId: found['AWS_ACCESS_KEY_ID'] ?? '',
        secretAccessKey: found['AWS_SECRET_ACCESS_KEY'] ?? '',
        sessionToken: found['AWS_SESSION_TOKEN'] ?? '',
      };
    },
    async stop() {
      await guarded.close();
      return endLeftovers(temporary);
    },
  };
}

async function untilReady(url: string, check: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + startTimeout; Date.now() < end; await sleep(100)) {
    await check();
    const response = await fetch(`${url}/_ministack/health`).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error(`The emulator does not answer at ${url}.`);
}

/** A function's process is recognised by its working folder, which is in the emulator's temporary folder. */
async function endLeftovers(temporary: string): Promise<string[]> {
  // They end by themselves when the pipe from the emulator closes.
  for (let tries = 0; tries < 20; tries += 1) {
    if ((await leftovers(temporary)).length === 0) return [];
    await sleep(100);
  }
  const left = await leftovers(temporary);
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
  return left.map(({ pid, command }) => `${pid} ${command}`);
}

async function leftovers(temporary: string): Promise<{ pid: number; command: string }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,args=']);
  const all = stdout
    .split('\n')
    .map((line) => /^\s*(\d+) (.*)$/.exec(line))
    .flatMap((match) => (match ? [{ pid: Number(match[1]), command: match[2] ?? '' }] : []));
  const folders = await Promise.all(
    all.map(({ pid }) => readlink(`/proc/${pid}/cwd`).catch(() => '')),
  );
  return all.filter(
    ({ command }, i) => command.includes(temporary) || folders[i]?.startsWith(temporary),
  );
}
