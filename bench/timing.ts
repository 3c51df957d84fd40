/**
 * Tells whether the time of an answer says that there is an account: the same request about an e-mail that somebody
 * has and about one that nobody has, in turns, over HTTP, and Welch's t of their times. Fails where |t| reaches 4.5.
 *
 *     npm run bench:timing                    2,000 pairs of each request, five minutes or so
 *     npm run bench:timing -- --pairs=200     fewer
 *     npm run bench:timing -- --minutes=2     at most so long, and as many pairs as that gives
 *     npm run bench:timing -- --only=password requests whose path contains this
 *     npm run bench:timing -- --bundles       the bundles that are deployed instead of the sources
 */
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { type Server, startServer } from './child.ts';
import { ask } from './load.ts';
import { openTable } from './table.ts';
import { type Accounts, liftSource, makeAccounts } from './timing-accounts.ts';
import { croppedWelch, welch } from './welch.ts';

const { values: flags } = parseArgs({
  options: {
    pairs: { type: 'string', default: '2000' },
    minutes: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    bundles: { type: 'boolean', default: false },
  },
});
const most = Number(flags.pairs);
const warmUp = 30;
/** |t| from which a difference counts. */
const limit = 4.5;

type Question = {
  path: string;
  status: number;
  /** How often one e-mail is asked about: below the limit, of which both kinds then see equally much. */
  repeats: number;
  more?: object;
};
const questions: Question[] = [
  {
    path: '/sessions/password',
    status: 401,
    repeats: 8,
    more: { password: 'a wrong password of some length' },
  },
  { path: '/passwords/forgotten', status: 202, repeats: 3 },
  { path: '/codes', status: 202, repeats: 3 },
  { path: '/sign-up', status: 202, repeats: 3 },
].filter(({ path }) => path.includes(flags.only));

const { engine, environment } = await openTable();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let service: Server | undefined;
try {
  service = await startServer('service.ts', environment, {
    args: flags.bundles ? ['--bundles'] : [],
  });
  const rows: string[] = [];
  let worst = 0;
  for (const question of questions) {
    const count = Math.ceil((most + warmUp) / question.repeats);
    const accounts = await makeAccounts(service, count);
    const until = Date.now() + (Number(flags.minutes) * 60_000) / questions.length;
    const { known, unknown } = await measure(service, question, accounts, until);
    const { a, b, t } = welch(known, unknown);
    const cropped = croppedWelch(known, unknown);
    worst = Math.max(worst, Math.abs(t), Math.abs(cropped.t));
    const numbers = [known.length, a, b, a / b, t, cropped.t].map((value, i) =>
      i === 0 ? String(value) : value.toFixed(i === 3 ? 4 : 2),
    );
    rows.push(`| POST ${question.path} | ${numbers.join(' | ')} |`);
    process.stderr.write(`${question.path} `);
  }
  process.stderr.write('\n');
  console.log(
    [
      '| request | pairs | known, ms | unknown, ms | ratio | t | t of the fastest 90 % |',
      '|---|--:|--:|--:|--:|--:|--:|',
      ...rows,
    ].join('\n'),
  );
  console.log(`\nLargest |t|: ${worst.toFixed(2)}; ${limit} would be a difference.`);
  if (!(worst < limit)) process.exitCode = 1;
} finally {
  agent.destroy();
  await service?.stop();
  await engine.close();
}

/** The times of both kinds in milliseconds, one request at a time, and by chance which of a pair comes first. */
async function measure(
  { url, ready }: Server,
  { path, status, repeats, more }: Question,
  accounts: Accounts,
  until: number,
): Promise<{ known: number[]; unknown: number[] }> {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let i = 0; i < most + warmUp && Date.now() < until; i += 1) {
    if (i % 500 === 0) await liftSource();
    const kinds = ['known', 'unknown'] as const;
    for (const kind of Math.random() < 0.5 ? kinds : kinds.toReversed()) {
      const email = accounts[kind][Math.floor(i / repeats)];
      const body = { project_id: ready.project_id, email, ...more };
      const began = performance.now();
      const answer = await ask(url, { method: 'POST', path, body }, agent);
      const time = performance.now() - began;
      if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      if (i >= warmUp) times[kind].push(time);
    }
  }
  return times;
}
