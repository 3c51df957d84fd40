/**
 * Measures the service against a bare Node server that makes the same DynamoDB calls and nothing else, and against
 * better-auth on SQLite and PostgreSQL where they are installed (npm ci --prefix bench/peers). In the table, CPU is in
 * microseconds per request; in brackets is our CPU divided by theirs.
 *
 *     npm run bench                     all scenarios, about three minutes, six with the peers
 *     npm run bench -- --quick          shorter windows, one or two minutes
 *     npm run bench -- --only=members   scenarios whose name contains this; repeatable
 *     npm run bench -- --bundles        the bundles that are deployed instead of the sources
 *     npm run bench -- --profile=DIR    writes a processor profile of the service into DIR
 *     npm run bench -- --json           the result as JSON
 */
import { parseArgs } from 'node:util';
import { drive, type Source } from './http.ts';
import { startPeers } from './peers.ts';
import { compare, type Measured, table } from './report.ts';
import { prepare, size } from './scenarios.ts';
import { type Server, startServer, startService } from './service-process.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    bundles: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [''] },
    profile: { type: 'string' },
  },
});
const { turns, window, warmUp } = flags.quick
  ? { turns: 3, window: 400, warmUp: 300 }
  : { turns: 7, window: 1_000, warmUp: 700 };

const profile = flags.profile ? ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`] : [];
await using cleanUp = new AsyncDisposableStack();
const service = cleanUp.use(await startService(flags.bundles, profile));
const floor = cleanUp.use(await startServer('bare.ts'));
const peers = await startPeers(size, cleanUp);

const results: { name: string; sides: Record<string, Measured<'rate' | 'cpu' | 'calls'>> }[] = [];
for (const { name, ours, bare, projected, peer = '' } of await prepare(service)) {
  if (!flags.only.some((part) => name.includes(part))) continue;
  const servers: [string, Server, Source][] = [
    ['ours', service, ours],
    ['bare', floor, bare],
    ...(projected ? [['projected', floor, projected] as [string, Server, Source]] : []),
    ...peers.flatMap((each) => {
      const source = each.sources[peer];
      return source ? [[each.name, each, source] as [string, Server, Source]] : [];
    }),
  ];
  const sides = (milliseconds: number) =>
    Object.fromEntries(
      servers.map(([side, server, source]) => [side, () => measure(server, source, milliseconds)]),
    );
  await compare(1, sides(warmUp));
  results.push({ name, sides: await compare(turns, sides(window)) });
  process.stderr.write(`${name} `);
}
process.stderr.write('\n');

const others = ['bare', 'projected', ...peers.map(({ name }) => name)];
const heads = ['endpoint', 'CPU us', ...others, 'req/s', 'bare', 'calls', 'bare'];
const rows = results.map(({ name, sides }) => {
  const both = (what: 'rate' | 'calls', digits: number) =>
    ['ours', 'bare'].map((side) => sides[side]?.median[what].toFixed(digits) ?? '');
  return [
    name,
    sides['ours']?.median.cpu.toFixed() ?? '',
    ...others.map((side) => {
      const measured = sides[side];
      return measured ? `${measured.median.cpu.toFixed()} (${measured.ratio.cpu.toFixed(2)})` : '';
    }),
    ...both('rate', 0),
    ...both('calls', 2),
  ];
});
console.log(flags.json ? JSON.stringify(results, undefined, 2) : table(heads, rows));

/** Requests per second; CPU microseconds and DynamoDB calls per request. */
async function measure(server: Server, source: Source, milliseconds: number) {
  const before = await server.usage();
  const { requests, seconds } = await drive(server.url, source, milliseconds);
  const after = await server.usage();
  return {
    rate: requests / seconds,
    cpu: (after.cpu - before.cpu) / requests,
    calls: (after.calls - before.calls) / requests,
  };
}
