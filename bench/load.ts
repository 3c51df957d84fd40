/**
 * Loads the whole service for minutes: the deployed bundles behind the local gateway on 127.0.0.1, with the functions
 * of the stream, over the given number of connections. Each is a user with a session and does what users and their
 * backends do, one request after another, at a common rate. Fails if a response is missing or unexpected, or if the
 * live memory of the server after garbage collection keeps growing; `npm run fuzz` watches that of the background
 * functions.
 *
 *     npm run load                                       a minute over 64 connections
 *     npm run load -- --minutes 10 --connections 64
 *     npm run load -- --rate 200                         requests per second, default 100; 0: as fast as possible
 *     npm run load -- --seed 7                           another random seed
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hasJava } from '../local/engine/dynamodb-local.ts';
import { messageOf } from '../shared/model/message-of.ts';
import { randomOf } from '../test/faults/random.ts';
import { type Answer, ask, type Call } from './http.ts';
import { choose, mix } from './load-mix.ts';
import { makePeople, type Person } from './load-people.ts';
import { median, quantile, table } from './report.ts';
import { startServer } from './service-process.ts';
import type { Usage } from './usage-probe.ts';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    connections: { type: 'string', default: '64' },
    rate: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const minutes = Math.min(Number(flags.minutes), 60);
const connections = Math.min(Number(flags.connections), 256);
/** Milliseconds between requests of all connections, because engine, service and load share this machine. */
const pause = Number(flags.rate) === 0 ? 0 : 1_000 / Number(flags.rate);
/** Each has its own feed, under one head. */
const projects = ['load-a', 'load-b', 'load-c', 'load-d'];
const samples = 40;
const maxTries = 8;
/** Stops after this many wrong responses. */
const maxErrors = 50;
/** Megabytes by which the heap may grow from the third to the last quarter; before that, caches and outboxes fill. */
const maxGrowth = 4;

// dynoxide becomes slower the more was written.
const engine = (process.env['DYNAMODB_ENGINE'] ??= hasJava() ? 'dynamodb-local' : 'dynoxide');
await using service = await startServer('../local/serve.ts', {
  args: ['--bundles', '--memory', '--json', '--port=0', ...projects.map((id) => `--project=${id}`)],
  execArgv: ['--expose-gc'],
  piped: true,
});
// One agent with one connection each: most connections of a pool would be idle.
const agents = Array.from(
  { length: connections },
  () => new Agent({ keepAlive: true, maxSockets: 1 }),
);

const times = new Map(mix.map(({ name }) => [name, [] as number[]]));
const errors: string[] = [];
const repeats: string[] = [];
const memory: Usage[] = [];
let phase: 'prepare' | 'warm up' | 'count' = 'prepare';
let requests = 0;

let next = 0;
/** Waits until this request may be sent. */
async function turn(): Promise<void> {
  const now = performance.now();
  const mine = Math.max(now, next);
  next = mine + pause;
  if (mine > now) await sleep(mine - now);
}

/** The current action of each user, by connection. */
const doing: string[] = [];

/** Sends over one connection. Unavailable requests are retried after a second, as a client does. */
const senderOf =
  (agent: Agent, i: number) =>
  async (call: Call): Promise<Answer> => {
    for (let tries = 1; ; tries += 1) {
      if (phase !== 'prepare') await turn();
      const began = performance.now();
      const answer = await ask(service.url, call, agent).catch((error: Error) => error);
      if (phase === 'count') {
        requests += 1;
        times.get(doing[i] ?? '')?.push(performance.now() - began);
      }
      const what = answer instanceof Error ? answer.message : `${answer.status} ${answer.text}`;
      // An earlier attempt whose response was lost holds the Idempotency-Key for some seconds.
      if (!(answer instanceof Error) && !/^503|"request_in_progress"/.test(what)) return answer;
      if (phase === 'count') repeats.push(`${call.method} ${call.path}: ${what}`);
      if (tries === maxTries) throw new Error(`${call.method} ${call.path}: ${what}`);
      await sleep(1_000);
    }
  };

const people = await makePeople(service.projects, agents.map(senderOf));
phase = 'warm up';
// Functions are bundled on first call, and Java compiles hot code: neither is part of the load.
for (const { run } of mix) await run(people[0] as Person);
await Promise.all(
  people.map(async (person, i) => {
    const random = randomOf(i);
    for (let steps = 0; steps < 10; steps += 1) await choose(random()).run(person);
  }),
);

phase = 'count';
const began = performance.now();
const elapsed = () => (performance.now() - began) / 60_000;
const over = () => elapsed() > minutes || errors.length >= maxErrors;
const live = async (person: Person, i: number) => {
  const random = randomOf(Number(flags.seed) * 1_000 + i);
  while (!over()) {
    const { name, run } = choose(random());
    doing[i] = name;
    await run(person).catch((error: unknown) => errors.push(`${name}: ${messageOf(error)}`));
  }
};
const watch = async () => {
  while (!over()) {
    await sleep((minutes * 60_000) / samples);
    memory.push(await service.usage());
  }
};
await Promise.all([...people.map(live), watch()]);

const seconds = elapsed() * 60;
console.log(
  `${requests} requests over ${connections} connections in ${seconds.toFixed()} s, ` +
    `${(requests / seconds).toFixed()} a second, engine ${engine}, seed ${flags.seed}: ` +
    `${errors.length} wrong answers, ${repeats.length} unavailable and sent again\n`,
);
for (const error of [...errors.slice(0, 10), ...repeats.slice(0, 10)]) console.log(`  ${error}`);
const latencies = [...times, ['all', [...times.values()].flat()] as const].map(([name, list]) => [
  name,
  `${list.length}`,
  ...[0.5, 0.99, 1].map((part) => quantile(list, part).toFixed(1)),
]);
console.log(table(['step', 'requests', 'p50, ms', 'p99, ms', 'max, ms'], latencies));

const size = Math.ceil(memory.length / 4);
const quarters = [0, 1, 2, 3].map((i) => {
  const quarter = memory.slice(i * size, (i + 1) * size);
  return (['rss', 'heap', 'external'] as const).map(
    (name) => median(quarter.map((sample) => sample[name])) / 2 ** 20,
  );
});
const rows = quarters.map((sizes, i) => [`${i + 1}`, ...sizes.map((each) => each.toFixed(1))]);
console.log(`\n${table(['quarter', 'RSS, MB', 'heap in use, MB', 'external, MB'], rows)}`);
const stall = Math.max(...memory.map((sample) => sample.stall));
console.log(`\nThe longest stall of the service: ${stall.toFixed()} ms.`);
const [third, last] = quarters.slice(2).map(([, heap = 0]) => heap) as [number, number];
if (errors.length > 0 || repeats.length > 0 || last - third > maxGrowth) process.exitCode = 1;
for (const agent of agents) agent.destroy();
