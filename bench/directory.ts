/**
 * Measures the cost of the list of all users and of a search in it, in a project with many users and in one with 1,000:
 * calls, units and latency of the first page and the thousandth, of a search, of the statistics and of an import. Items
 * are written straight into the file of a local table, a million in some minutes and some 6 GB.
 *
 *     npm run bench:directory -- --users 200000
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { basic } from '../client/client.ts';
import { type Cost, meter } from '../test/support/meter.ts';
import { addUsers, emailOf } from './directory-seed.ts';
import { openEngineFile } from './engine-file.ts';
import { openBenchTable } from './growth-seed.ts';
import { ask, backendOf } from './http.ts';
import { quantile, table } from './report.ts';
import { startHere } from './service-here.ts';

const { values: flags } = parseArgs({ options: { users: { type: 'string', default: '1000000' } } });
const small = 1_000;
const large = Number(flags.users);
if (!Number.isInteger(large) || large <= small) throw new Error(`--users must be above ${small}`);
/** Requests of each case at each size whose latency is measured. */
const measured = 60;
/** A request whose cost does not depend on the number of users, because the machine's speed varies. */
const yardstick = '/stats?days=1';

/** Users of one request of an import. */
const imported = 5;

const folder = mkdtempSync(join(tmpdir(), 'bench-directory-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const started = await startHere(folder);
const [project] = started.projects;
const { dynamodb } = await import('../shared/db/client.ts');
const raw = openBenchTable();
const file = openEngineFile(folder, raw.name);
const measure = meter(dynamodb, raw.client);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const authorization = basic(project.project_id, project.secret);
const now = Date.now();
await backendOf({ ...started, ...project })('POST', '/users', { email: 'model@example.com' });

async function get(path: string): Promise<void> {
  const answer = await ask(started.url, { method: 'GET', path, authorization }, agent);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
}

let everImported = 0;
/** Imports new users, each with an external id and a hash. */
async function importSome(): Promise<void> {
  const users = Array.from({ length: imported }, () => {
    everImported += 1;
    const email = `imported${everImported}@example.com`;
    const password_hash = `$2b$10$${'.'.repeat(53)}`;
    return { email, external_id: `crm-${everImported}`, password_hash };
  });
  const call = { method: 'POST', path: '/users/import', authorization, body: { users } };
  const answer = await ask(started.url, call, agent);
  const { created } = JSON.parse(answer.text) as { created?: number };
  if (created !== imported) throw new Error(`POST /users/import: ${answer.text}`);
}

/** The path of the next page, by the Link header. */
async function nextOf(path: string): Promise<string | undefined> {
  const response = await fetch(`${started.url}${path}`, { headers: { authorization } });
  await response.arrayBuffer();
  const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
  return next?.replace(started.url, '');
}

/** The path of the page after this many users; the last page if there are fewer. */
async function pageAfter(path: string, users: number): Promise<string> {
  let at = `${path}limit=100`;
  for (let seen = 0; seen < users; seen += 100) {
    const next = await nextOf(at);
    if (next === undefined) break;
    at = next;
  }
  return at.replace('limit=100', 'limit=20');
}

/** `relative`: the median as a multiple of `yardstick` measured next to it. */
type Measure = { cost: Cost; median: number; p99: number; relative: number };

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const at = performance.now();
  await work();
  return performance.now() - at;
}

async function measureWork(work: () => Promise<unknown>): Promise<Measure> {
  for (let i = 0; i < 5; i += 1) await work();
  const { cost } = await measure(work);
  const times: number[] = [];
  const references: number[] = [];
  for (let i = 0; i < measured; i += 1) {
    references.push(await timeOf(() => get(yardstick)));
    times.push(await timeOf(work));
  }
  const middle = quantile(times, 0.5);
  return {
    ...{ cost, median: middle, p99: quantile(times, 0.99) },
    relative: middle / quantile(references, 0.5),
  };
}

async function measureAll(users: number): Promise<Map<string, Measure>> {
  const deep = Math.min(19_980, users - 100);
  const one = encodeURIComponent(emailOf(users >> 1));
  const paths: [name: string, path: string][] = [
    ['GET /users, first page', '/users?limit=20'],
    ['GET /users, thousandth page', await pageAfter('/users?', deep)],
    ['by creation, oldest first', '/users?limit=20&order=asc'],
    ['by `email`', `/users?email=${one}`],
    ['by `query`, one user', `/users?limit=20&query=${one}`],
    ['by `query`, everybody, first page', '/users?limit=20&query=first'],
    ['GET /stats, 90 days', '/stats?days=90'],
    ['by `query`, everybody, thousandth page', await pageAfter('/users?query=first&', deep)],
  ];
  const found = new Map<string, Measure>();
  for (const [name, path] of paths) found.set(name, await measureWork(() => get(path)));
  found.set(`POST /users/import, ${imported} users`, await measureWork(importSome));
  return found;
}

const seeded = async (from: number, to: number) => {
  const at = performance.now();
  const items = await addUsers({ table: raw, file }, project.project_id, [from, to], large, now);
  return { items, seconds: (performance.now() - at) / 1_000 };
};
await seeded(0, small);
const few = await measureAll(small);
const { items, seconds } = await seeded(small, large);
const many = await measureAll(large);

const cells = ({ cost, median, p99 }: Measure) => [
  String(cost.rounds.flat().length),
  `${cost.read} + ${cost.write}`,
  median.toFixed(1),
  p99.toFixed(1),
];
const rows = [...few].map(([name, before]) => {
  const after = many.get(name) ?? before;
  const ratio = after.relative / before.relative;
  return [name, ...cells(before), ...cells(after), ratio.toFixed(2)];
});
const heads = [small, large].flatMap((users) =>
  ['calls', 'units', 'median ms', 'p99 ms'].map(
    (head) => `${head}, ${users.toLocaleString('en-US')}`,
  ),
);
console.log(`\n${table(['request', ...heads, 'ratio'], rows)}`);
console.log(
  `\n${items.toLocaleString('en-US')} items in ${seconds.toFixed()} s: ${Math.round(items / seconds)} a second.`,
);
agent.destroy();
file.close();
raw.client.destroy();
process.exit(0);
