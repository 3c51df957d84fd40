/**
 * Measures the service against a bare Node server that makes the same DynamoDB calls and nothing else.
 *
 *     npm run bench                     all scenarios, about two and a half minutes
 *     npm run bench -- --quick          shorter windows, about half a minute
 *     npm run bench -- --only=members   scenarios whose name contains this; repeatable
 *     npm run bench -- --bundles        the bundles that are deployed instead of the sources
 *     npm run bench -- --profile=DIR    writes a processor profile of the service into DIR
 *     npm run bench -- --json           the result as JSON
 */
import { parseArgs } from 'node:util';
import { drive, type Source } from './http.ts';
import { compare, table } from './report.ts';
import { prepare } from './scenarios.ts';
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
await using service = await startService(flags.bundles, profile);
await using floor = await startServer('bare.ts');
const results = [];
for (const { name, ours, bare } of await prepare(service)) {
  if (!flags.only.some((part) => name.includes(part))) continue;
  const of = (server: Server, source: Source) => (milliseconds: number) => () =>
    measure(server, source, milliseconds);
  const [our, its] = [of(service, ours), of(floor, bare)];
  await compare(1, our(warmUp), its(warmUp));
  results.push({ name, ...(await compare(turns, our(window), its(window))) });
  process.stderr.write(`${name} `);
}
process.stderr.write('\n');
const heads = ['endpoint', 'req/s', 'bare', 'ratio', 'CPU us', 'bare', 'ratio', 'calls', 'bare'];
const rows = results.map(({ name, rate, cpu, calls }) => [
  name,
  ...[rate, cpu].flatMap(({ ours, bare, ratio }) => [
    ours.toFixed(),
    bare.toFixed(),
    ratio.toFixed(2),
  ]),
  ...[calls.ours.toFixed(2), calls.bare.toFixed(2)],
]);
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
