import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Usage } from './probe.ts';

/** A server in a process of its own. */
export type Server = {
  url: string;
  pid: number;
  ready: Ready;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
};

/** What a server says once it accepts requests. */
export type Ready = { port: number; project_id?: string; secret?: string };

/** Starts `bench/<file>` and waits until it accepts requests. It ends with this process. */
export async function startServer(
  file: string,
  env: Record<string, string>,
  options: { args?: string[]; execArgv?: string[] } = {},
): Promise<Server> {
  const child = fork(new URL(file, import.meta.url), options.args ?? [], {
    env: { ...process.env, ...env },
    execArgv: ['--import', new URL('probe.ts', import.meta.url).href, ...(options.execArgv ?? [])],
    // Log lines are written as in production, and thrown away.
    stdio: ['ignore', 'ignore', process.env['BENCH_STDERR'] ? 'inherit' : 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  const next = async <T>(): Promise<T> => {
    const message = once(child, 'message') as Promise<[T]>;
    const gone = ended.then(() =>
      Promise.reject(new Error(`bench/${file} ended; BENCH_STDERR=1 shows why`)),
    );
    return (await Promise.race([message, gone]))[0];
  };
  const ready = await next<Ready>();
  return {
    url: `http://127.0.0.1:${ready.port}`,
    pid: child.pid ?? 0,
    ready,
    async usage() {
      const answer = next<{ usage: Usage }>();
      child.send('usage');
      return (await answer).usage;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
