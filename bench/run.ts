/**
 * Measures the service against a bare Node server that makes the same DynamoDB calls and nothing else.
 *
 *     npm run bench                     all scenarios, about two and a half minutes
 *     npm run bench -- --quick          shorter windows, about half a minute
 *     npm run bench -- --only=members   scenarios whose name contains this; more than once for more
 *     npm run bench -- --bundles        the bundles that are deployed instead of the sources
 *     npm run bench -- --profile=DIR    writes a processor profile of the service into DIR
 *     npm run bench -- --json           the result as JSON
 */
import { parseArgs } from 'node:util';
import { type Server, startServer } from './child.ts';
import { drive, type Source } from './load.ts';
import { type Measurement, type Result, summarize, table } from './report.ts';
import { prepare } from './scenarios.ts';
import { openTable } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    bundles: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [''] },
    profile: { type: 'string' },
  },
});
const { rounds, window, warmUp } = flags.quick
  ? { rounds: 3, window: 400, warmUp: 300 }
  : { rounds: 7, window: 1_000, warmUp: 700 };

const { engine, environment } = await openTable();
const servers: Server[] = [];
try {
  const service = await startServer('service.ts', environment, {
    args: flags.bundles ? ['--bundles'] : [],
    execArgv: flags.profile ? ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`] : [],
  });
  servers.push(service);
  const bare = await startServer('bare.ts', environment);
  servers.push(bare);
  const results: Result[] = [];
  for (const scenario of await prepare(service)) {
    if (!flags.only.some((part) => scenario.name.includes(part))) continue;
    await measure(service, scenario.ours, warmUp);
    await measure(bare, scenario.bare, warmUp);
    const pairs: { ours: Measurement; bare: Measurement }[] = [];
    // In turns, because the machine is shared: what slows it meets both.
    for (let round = 0; round < rounds; round += 1)
      pairs.push({
        ours: await measure(service, scenario.ours, window),
        bare: await measure(bare, scenario.bare, window),
      });
    const result = summarize(scenario.name, pairs);
    results.push(result);
    if (!flags.json) process.stderr.write(`${scenario.name} `);
  }
  if (!flags.json) process.stderr.write('\n');
  console.log(flags.json ? JSON.stringify(results, undefined, 2) : table(results));
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await engine.close();
}

async function measure(server: Server, source: Source, milliseconds: number): Promise<Measurement> {
  const before = await server.usage();
  const { requests, seconds } = await drive(server.url, source, milliseconds);
  const after = await server.usage();
  return {
    rate: requests / seconds,
    cpu: (after.cpu - before.cpu) / requests,
    calls: (after.calls - before.calls) / requests,
  };
}
