/**
 * Measures the calls, units and CPU of endpoints as data grows on which they must not depend: members, workspaces,
 * sessions, events. Items are written straight into a local table. Fails if a cost that must be flat is not.
 *
 *     npm run bench:growth               some minutes
 *     npm run bench:growth -- --quick    up to 1,000 of each
 */
import { Agent } from 'node:http';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { type Cost, meter } from '../test/support/meter.ts';
import { type GrowthCase, growthsOf } from './growth-cases.ts';
import { openBenchTable } from './growth-seed.ts';
import { ask, backendOf, type Call } from './http.ts';
import { median, table } from './report.ts';
import { startHere } from './service-here.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
/** Requests of each case at each size: one warms up, then some are metered, and the CPU time of others is measured. */
const [metered, measured] = [3, 20];
const each = 1 + metered + measured;

const started = await startHere();
const [project] = started.projects;
const { dynamodb } = await import('../shared/db/client.ts');
const raw = openBenchTable();
const measure = meter(dynamodb, raw.client);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const tools = {
  url: started.url,
  table: raw,
  project,
  backend: backendOf({ ...started, ...project }),
  ask: async (call: Call) => {
    const answer = await ask(started.url, call, agent);
    if (answer.status < 300) return answer;
    throw new Error(`${call.method} ${call.path}: ${answer.status} ${answer.text}`);
  },
};

let bent = 0;
for (const { name, sizes, grow, cases } of await growthsOf(tools, 5 * each)) {
  const measures = new Map(cases.map((one) => [one, [] as Measure[]]));
  const used = flags.quick ? sizes.filter((size) => size <= 1_000) : sizes;
  for (const [step, size] of used.entries()) {
    await grow(used[step - 1] ?? 0, size);
    // One unmeasured request, because the first calls compile the code.
    if (step === 0) for (const one of cases) await measureCase(one, 0);
    for (const one of cases) measures.get(one)?.push(await measureCase(one, (step + 1) * each));
    process.stderr.write(`${name}: ${size}  `);
  }
  const heads = [
    'calls',
    ...used.map((size) => `units, ${size}`),
    ...used.map((size) => `us, ${size}`),
  ];
  const rows = [...measures].map(([one, all]) => rowOf(one, all));
  bent += rows.filter((row) => row.at(-1) === 'BENDS').length;
  console.log(`\n${table([name, ...heads.map((head) => thousands(head)), 'ratio', ''], rows)}`);
}
agent.destroy();
raw.client.destroy();
if (bent > 0) console.log(`\n${bent} costs are not flat.`);
process.exit(bent > 0 ? 1 : 0);

/** CPU microseconds of a request including the client's, and as a multiple of `yardstick` measured next to it. */
type Measure = { cost: Cost; cpu: number; relative: number };

/** A request whose cost never changes, because the machine's speed varies between sizes. */
async function yardstick(): Promise<void> {
  await tools.ask({ method: 'GET', path: '/.well-known/jwks.json' });
}

/** The median CPU time of requests, and the least cost: now and then one counts its successors for a rate limit. */
async function measureCase({ send }: GrowthCase, from: number): Promise<Measure> {
  await send(from);
  const costs: Cost[] = [];
  for (let i = 1; i <= metered; i += 1) costs.push((await measure(() => send(from + i))).cost);
  const [cost] = costs.toSorted((a, b) => a.write - b.write) as [Cost];
  const times: { cpu: number; relative: number }[] = [];
  for (let i = 1 + metered; i < each; i += 1) {
    const reference = await cpuOf(yardstick);
    const cpu = await cpuOf(() => send(from + i));
    times.push({ cpu, relative: cpu / reference });
  }
  return {
    cost,
    cpu: median(times.map(({ cpu }) => cpu)),
    relative: median(times.map(({ relative }) => relative)),
  };
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function rowOf({ name, flat }: GrowthCase, all: readonly Measure[]): string[] {
  const [first, last] = [all.at(0), all.at(-1)];
  const isFlat = all.every(({ cost }) => isDeepStrictEqual(cost, first?.cost));
  const calls = all.map(({ cost }) => cost.rounds.flat().length);
  return [
    name,
    [...new Set(calls)].join(' to '),
    ...all.map(({ cost }) => `${cost.read} + ${cost.write}`),
    ...all.map(({ cpu }) => cpu.toFixed()),
    ((last?.relative ?? 0) / (first?.relative ?? 1)).toFixed(2),
    flat ? (isFlat ? 'flat' : 'BENDS') : 'grows',
  ];
}

function thousands(text: string): string {
  return text.replace(/\d+$/, (digits) => Number(digits).toLocaleString('en-US'));
}
