/**
 * Measures the processor time of each process of `npm start` on Linux: while idle, and for one write with all work that
 * follows it.
 *
 *     npm run bench:local                     10 s idle, then 300 writes
 *     npm run bench:local -- --writes 1000
 *     npm run bench:local -- --warm 200      fewer writes before, which are not counted; by default 600
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { backendOf } from './http.ts';
import { table } from './report.ts';
import type { Project } from './service-process.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    writes: { type: 'string', default: '300' },
    warm: { type: 'string', default: '600' },
  },
});
const [seconds, writes] = [Number(flags.seconds), Number(flags.writes)];
/** Milliseconds between writes that only warm the code up. */
const hurry = 2;
/** Milliseconds from one write to the next. */
const pause = 25;
/** Milliseconds after which all work that follows a write is done. */
const quiet = 3_000;

// A process without probes, because a probe would keep it busy.
const child = spawn(process.execPath, ['local/serve.ts', '--memory', '--json', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
process.on('exit', () => child.kill());
const [line] = (await once(child.stdout, 'data')) as [Buffer];
const { url, projects } = JSON.parse(line.toString()) as { url: string; projects: [Project] };
const backend = backendOf({ ...projects[0], url: url.replace('localhost', '127.0.0.1') });
const { uid } = await backend('POST', '/users', { email: 'ada@example.com' });
/** Renames the user, which emits an event. */
const rename = async (times: number, wait = pause) => {
  for (let i = 0; i < times; i += 1) {
    await backend('PUT', `/users/${uid}`, { name: { given_name: `Ada ${i}` } });
    await sleep(wait);
  }
  await sleep(quiet);
};

// Warms up, to measure compiled code: after 200 writes, half of it was still interpreted.
await rename(Number(flags.warm), hurry);
const before = processorTimes();
await sleep(seconds * 1_000);
const idle = processorTimes();
await rename(writes);
const busy = processorTimes();

const rows = [...busy].map(([name, { time }]) => {
  const [from = time, to = time] = [before, idle].map((each) => each.get(name)?.time);
  return [
    name,
    `${((100 * (to - from)) / (seconds * 1_000)).toFixed(2)} %`,
    `${((time - to) / writes).toFixed(2)} ms`,
    `${(residentBytes(busy.get(name)?.pid ?? 0) / 2 ** 20).toFixed()} MB`,
  ];
});
console.log(table(['process', 'idle', 'a write', 'memory'], rows));
process.exit();

/** CPU milliseconds of each child process of the server since its start, by program name. */
function processorTimes(): Map<string, { pid: number; time: number }> {
  const all = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((each) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(each)?.slice(1) ?? [])
    .map(([pid, parent, args = '']) => ({ pid: Number(pid), parent: Number(parent), args }));
  const found = new Map<string, { pid: number; time: number }>();
  const add = (parent: number) => {
    for (const { pid, args } of all.filter((each) => each.parent === parent)) {
      const [, name] = /(dynoxide|DynamoDBLocal\.jar|[\w-]+\.ts)(?:\s|$)/.exec(args) ?? [];
      // The shells that guard the engine do nothing.
      if (name && !args.startsWith('/bin/sh'))
        found.set(basename(name, '.ts'), { pid, time: timeOf(pid) });
      add(pid);
    }
  };
  const pid = child.pid ?? 0;
  found.set('serve', { pid, time: timeOf(pid) });
  add(pid);
  return found;
}

/** Exact milliseconds of all threads, unlike the ticks in `stat`. */
function timeOf(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

function residentBytes(pid: number): number {
  return 4_096 * Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
}
