import { fork } from 'node:child_process';
import { once } from 'node:events';
import { hasJava } from '../local/dynamodb-local.ts';
import type { Memory } from './memory.ts';

export type Project = { project_id: string; secret: string };

/** The whole service of this machine, as `npm start -- --bundles` runs it, in a process of its own. */
export type Served = {
  url: string;
  engine: string;
  projects: Project[];
  memory(): Promise<Memory>;
  stop(): Promise<void>;
};

/** Starts the bundles that would be deployed, with an empty table in memory, and waits until they accept requests. */
export async function serveBundles(projects: string[]): Promise<Served> {
  const args = ['--bundles', '--memory', '--json', '--port', '0'];
  const named = projects.flatMap((id) => ['--project', id]);
  // The other engine is the slower the more was written to it.
  const engine = process.env['DYNAMODB_ENGINE'] ?? (hasJava() ? 'dynamodb-local' : 'dynoxide');
  const child = fork(new URL('../local/serve.ts', import.meta.url), [...args, ...named], {
    env: { ...process.env, DYNAMODB_ENGINE: engine },
    execArgv: ['--expose-gc', '--import', new URL('memory.ts', import.meta.url).href],
    // Log lines are written as in production, and thrown away.
    stdio: ['ignore', 'pipe', process.env['BENCH_STDERR'] ? 'inherit' : 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  const gone = ended.then(() =>
    Promise.reject(new Error('The service ended; BENCH_STDERR=1 shows why')),
  );
  gone.catch(() => {});
  const stdout = child.stdout as NodeJS.ReadableStream;
  const [line] = (await Promise.race([once(stdout, 'data'), gone])) as [Buffer];
  const ready = JSON.parse(line.toString('utf8')) as { url: string; projects: Project[] };
  return {
    // `localhost` may be two addresses; connections are counted on one.
    url: ready.url.replace('localhost', '127.0.0.1'),
    projects: ready.projects,
    engine,
    async memory() {
      const answer = once(child, 'message') as Promise<[{ memory: Memory }]>;
      child.send('memory');
      return (await Promise.race([answer, gone]))[0].memory;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
