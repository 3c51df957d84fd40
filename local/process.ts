import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Guards the command in its arguments. The system closes standard input however the parent dies. */
const guard = `
exec 3<&0
"$@" </dev/null >&2 3<&- &
guarded=$!
echo "$guarded"
exec 2>/dev/null
(
  exec >/dev/null
  while read -r _ <&3; do :; done
  kill "$guarded"
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 0.1
    kill -0 "$guarded" || exit
  done
  kill -9 "$guarded"
) &
watcher=$!
wait "$guarded"
code=$?
kill "$watcher"
exit "$code"
`;

export type Guarded = {
  /** Process id of the command itself, not of its guard. */
  readonly pid: number;
  /** Its last output, or undefined while it runs. */
  ended(): string | undefined;
  /** Resolves when it has ended for any reason. */
  gone: Promise<unknown>;
  close(): Promise<void>;
};

/**
 * Starts a command that cannot outlive this process, even after a signal or `kill -9`. It does not keep this process
 * running either. A Ctrl-C in the terminal does not reach it; it ends only by `close` or with this process.
 */
export function startGuarded(command: string[], options: { cwd?: string } = {}): Promise<Guarded> {
  return startGuard(['/bin/sh', '-c', guard, 'guard', ...command], options);
}

/**
 * Starts a guard, which runs a command, prints the command's process id in its first line of output, ends the command
 * when standard input closes, and ends with it.
 */
export async function startGuard(
  [file = '', ...args]: string[],
  options: { cwd?: string } = {},
): Promise<Guarded> {
  const child = spawn(file, args, {
    ...options,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  exited.catch(() => {});
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-2000);
  });
  const pid = await Promise.race([firstLine(child.stdout), exited.then(() => '')]);
  unref(child);
  return {
    pid: Number(pid),
    ended: () => (child.exitCode === null && child.signalCode === null ? undefined : words.trim()),
    gone: exited,
    async close() {
      child.ref();
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await exited;
    },
  };
}

/** Also takes what is written later, so that the writer never waits. */
function firstLine(output: Readable): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  output.setEncoding('utf8').on('data', (more: string) => {
    if (text.includes('\n')) return;
    text += more;
    if (text.includes('\n')) resolve(text.trim());
  });
  return promise;
}

function unref(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    (stream as unknown as { unref(): void }).unref();
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The command line of a running process, or an empty string. Distinguishes processes that reuse an id. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    try {
      return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    } catch {
      return '';
    }
  }
}

/** Waits until a process that this one did not start has ended, and ends it if it does not exit by itself. */
export async function end(pid: number): Promise<void> {
  for (let waited = 0; isAlive(pid) && commandLine(pid) !== ''; waited += 20) {
    try {
      if (waited >= 1000) process.kill(pid, waited < 3000 ? 'SIGTERM' : 'SIGKILL');
    } catch {
      return;
    }
    await sleep(20);
  }
}
