/**
 * Simulates the deployed service under growing load, from the units of test/budgets.json, and prints the first
 * bottleneck, the waits, the throttling and the monthly cost. It makes no calls.
 *
 *     npm run simulate                             1, 100 and 10,000 requests a second, and the steps between
 *     npm run simulate -- --write                  writes these tables into docs/evidence/scale.md
 *     npm run simulate -- --rate 2000              one rate; with --messages, --feed-shards, --consumers, --table-quota
 *     npm run simulate -- --seed 7                 other places of the keys in the table
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { asDeployed } from './limits.ts';
import { rateReport, scaleReport } from './report.ts';

const { values: flags } = parseArgs({
  options: {
    rate: { type: 'string' },
    seed: { type: 'string', default: '1' },
    messages: { type: 'string', default: `${asDeployed.messages}` },
    'feed-shards': { type: 'string', default: `${asDeployed.feedShards}` },
    consumers: { type: 'string', default: `${asDeployed.consumers}` },
    'table-quota': { type: 'string', default: `${asDeployed.tableQuota}` },
    write: { type: 'boolean', default: false },
  },
});
const seed = Number(flags.seed);
const setup = {
  messages: Number(flags.messages),
  feedShards: Number(flags['feed-shards']),
  consumers: Number(flags.consumers),
  tableQuota: Number(flags['table-quota']),
};
const text = flags.rate ? rateReport(Number(flags.rate), setup, seed) : scaleReport(seed);
console.log(text);
if (flags.write) {
  const file = new URL('../../docs/evidence/scale.md', import.meta.url);
  const section = /(<!-- simulate -->\n)[^]*(\n<!-- \/simulate -->)/;
  const page = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    page.replace(section, (_, open, close) => `${open}${text}${close}`),
  );
}
