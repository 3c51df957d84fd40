/**
 * Measures the cold start of every function: its bundle in a fresh process, in turns with a minimal function.
 *
 *     npm run bench:cold                                          all functions, about three minutes
 *     npm run bench:cold -- --functions users.getMe,members.add   only these
 *     npm run bench:cold -- --rounds 15                           more than five pairs of each
 *     npm run bench:cold -- --json                                the result as JSON
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { bundleFunctions, settings } from '../lib/bundle.ts';
import { functionNames } from '../lib/functions.ts';
import type { ColdStart } from './cold-start-probe.ts';
import { openScene } from './cold-start-scene.ts';
import { compare, table } from './report.ts';

const { values: flags } = parseArgs({
  options: {
    functions: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const wanted = flags.functions?.split(',') ?? functionNames;

const folder = await mkdtemp(join(tmpdir(), 'cold-start-'));
const sizes = await bundleFunctions(folder);
const contents = 'export const handler = async () => ({ statusCode: 200, body: "hello" });';
await build({
  ...settings,
  stdin: { contents, sourcefile: 'index.mjs' },
  outfile: join(folder, 'hello/index.mjs'),
  splitting: false,
});
const probe = join(folder, 'probe.mjs');
const source = fileURLToPath(new URL('cold-start-probe.ts', import.meta.url));
await build({ ...settings, entryPoints: [source], outfile: probe, splitting: false });
const eventOf = await openScene();

/** The cost of one cold start: milliseconds of processor time, and of elapsed time. */
async function start(name: string, event: unknown) {
  const bundle = pathToFileURL(join(folder, name, 'index.mjs')).href;
  const child = spawn(process.execPath, [probe, bundle, JSON.stringify(event)], {
    // Log lines are written as in production, and discarded. Lambda configures no extra certificates. Node reads those
    // of this machine on a thread with `node:tls`, which takes 9 ms.
    env: {
      ...process.env,
      LOG_LEVEL: undefined,
      NODE_COMPILE_CACHE: undefined,
      NODE_EXTRA_CA_CERTS: undefined,
    },
    stdio: ['ignore', 'ignore', process.env['BENCH_STDERR'] ? 'inherit' : 'ignore', 'pipe'],
  });
  const [report] = await Promise.all([text(child.stdio[3] as Readable), once(child, 'exit')]);
  const { started, imported, answered, outcome } = JSON.parse(report) as ColdStart;
  outcomes.set(name, outcome);
  return {
    importing: (imported.cpu - started.cpu) / 1_000,
    calling: (answered.cpu - imported.cpu) / 1_000,
    cpu: answered.cpu / 1_000,
    wall: answered.wall,
  };
}

const outcomes = new Map<string, string>();
const results = [];
for (const name of functionNames.filter((each) => wanted.includes(each))) {
  const { ours, hello } = await compare(Number(flags.rounds), {
    ours: async () => start(name, await eventOf(name)),
    hello: () => start('hello', {}),
  });
  const { coldStart: bytes } = sizes[name];
  const outcome = outcomes.get(name) ?? '';
  results.push({
    name,
    ours: ours.median,
    hello: hello.median,
    ratio: hello.ratio,
    bytes,
    outcome,
  });
  process.stderr.write(`${name} `);
}
process.stderr.write('\n');
await rm(folder, { recursive: true });

results.sort((a, b) => b.ratio.cpu - a.ratio.cpu);
const heads = ['function', 'import ms', 'call ms', 'CPU ms', 'hello', 'ratio'];
heads.push('time ms', 'hello', 'ratio', 'KB', 'answer');
const rows = results.map(({ name, ours, hello, ratio, bytes, outcome }) => [
  name,
  ...[ours.importing, ours.calling, ours.cpu, hello.cpu].map((ms) => ms.toFixed(1)),
  ratio.cpu.toFixed(2),
  ...[ours.wall, hello.wall].map((ms) => ms.toFixed(1)),
  ratio.wall.toFixed(2),
  (bytes / 1_000).toFixed(),
  outcome,
]);
console.log(flags.json ? JSON.stringify(results, undefined, 2) : table(heads, rows));
process.exit(0);
