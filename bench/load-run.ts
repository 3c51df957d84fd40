/**
 * Loads the whole service for minutes: the bundles that are deployed, behind the local gateway on 127.0.0.1, with the
 * functions of the stream, over as many connections as are asked for. Each is a person with a session and does what
 * people and their back ends do, one request after the other, all together so many a second. Fails where one answer is
 * not the expected one or does not come, or where the memory that is in use after a collection goes on growing.
 *
 *     npm run load                                       a minute over 64 connections
 *     npm run load -- --minutes 10 --connections 64
 *     npm run load -- --rate 200                         requests a second, 100 by default; 0: as many as are answered
 *     npm run load -- --requests 50000                   at most so many
 *     npm run load -- --seed 7                           other choices
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mix, type Step } from './load-mix.ts';
import { makePeople, type Person, sender } from './load-people.ts';
import { growth, latencies, type Sample } from './load-report.ts';
import { serveBundles } from './served.ts';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    connections: { type: 'string', default: '64' },
    rate: { type: 'string', default: '100' },
    requests: { type: 'string', default: '2000000' },
    seed: { type: 'string', default: '1' },
  },
});
const minutes = Math.min(Number(flags.minutes), 60);
const connections = Math.min(Number(flags.connections), 256);
const mostRequests = Number(flags.requests);
/** Milliseconds between two requests, whoever sends them: engine, service and load share this machine. */
const pause = Number(flags.rate) === 0 ? 0 : 1_000 / Number(flags.rate);
/** Each has a feed of its own, under one head. */
const projects = ['load-a', 'load-b', 'load-c', 'load-d'];
const samples = 40;
/** A service that answers wrongly all the time is stopped. */
const mostErrors = 50;

/** One connection each: those of a pool would lie idle but for a few. */
const agents = Array.from(
  { length: connections },
  () => new Agent({ keepAlive: true, maxSockets: 1 }),
);
const service = await serveBundles(projects);
try {
  const people = await makePeople(service, agents);
  let next = performance.now();
  const turn = async () => {
    const now = performance.now();
    const mine = Math.max(now, next);
    next = mine + pause;
    if (mine > now) await sleep(mine - now);
  };
  // A function is bundled when it is first called, and Java compiles what has run often: neither is part of the load.
  for (const { run } of mix) await run(people[0] as Person, sender(service.url, agents[0]));
  await Promise.all(people.map((person, i) => warmUp(person, i, turn)));
  const times = new Map(mix.map(({ name }) => [name, [] as number[]]));
  const errors: string[] = [];
  const memory: Sample[] = [];
  let requests = 0;
  const repeats: string[] = [];
  const began = performance.now();
  const end = began + minutes * 60_000;
  const over = () =>
    performance.now() > end || requests >= mostRequests || errors.length >= mostErrors;

  const answered = (name: string) => (milliseconds: number) => {
    requests += 1;
    times.get(name)?.push(milliseconds);
  };
  const unavailable = (what: string) => void repeats.push(what);
  const live = async (person: Person, i: number) => {
    const random = randomOf(Number(flags.seed), i);
    while (!over()) {
      const step = choose(random());
      const send = sender(service.url, agents[i], {
        turn,
        answered: answered(step.name),
        unavailable,
      });
      await step.run(person, send).catch((error: unknown) => {
        errors.push(`${step.name}: ${error instanceof Error ? error.message : String(error)}`);
      });
    }
  };
  const sample = async () => {
    const minute = (performance.now() - began) / 60_000;
    memory.push({ minute, ...(await service.memory()) });
  };
  const watch = async () => {
    while (!over()) {
      await sample();
      await sleep((minutes * 60_000) / samples);
    }
    // Also tells a service that has ended from one that answers wrongly.
    await sample();
  };
  await Promise.all([...people.map(live), watch()]);

  const seconds = (performance.now() - began) / 1_000;
  const rate = Math.round(requests / seconds);
  console.log(
    `${requests} requests over ${connections} connections in ${Math.round(seconds)} s, ${rate} a second, ` +
      `engine ${service.engine}, seed ${flags.seed}: ${errors.length} wrong answers, ${repeats.length} unavailable and sent again\n`,
  );
  for (const error of [...errors.slice(0, 10), ...repeats.slice(0, 10)]) console.log(`  ${error}`);
  console.log(latencies(times));
  const { text, flat } = growth(memory);
  console.log(`\n${text}`);
  if (errors.length > 0 || repeats.length > 0 || !flat) process.exitCode = 1;
} finally {
  for (const agent of agents) agent.destroy();
  await service.stop();
}

/** Does some steps that nobody counts. */
async function warmUp(person: Person, number: number, turn: () => Promise<unknown>): Promise<void> {
  const nobody = () => {};
  const random = randomOf(0, number);
  const send = sender(service.url, agents[number], { turn, answered: nobody, unavailable: nobody });
  for (let i = 0; i < 10; i += 1) await choose(random()).run(person, send);
}

/** The step that lies at this part, from 0 to 1, of all that is done. */
function choose(part: number): Step {
  let left = part * mix.reduce((sum, { often }) => sum + often, 0);
  for (const step of mix) {
    left -= step.often;
    if (left < 0) return step;
  }
  return mix[0] as Step;
}

/** Mulberry32: the same choices for the same seed, of each connection its own. */
function randomOf(seed: number, connection: number): () => number {
  let state = (seed * 1_000 + connection) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
