/**
 * Tests whether response times reveal if an account exists: the same request for an e-mail with an account and for
 * one without, in turns, over HTTP, and Welch's t of their times. Fails if |t| reaches 4.5.
 *
 *     npm run bench:timing                    2,000 pairs of each request, five minutes or so
 *     npm run bench:timing -- --pairs=200     fewer
 *     npm run bench:timing -- --minutes=2     at most this long, with as many pairs as fit
 *     npm run bench:timing -- --only=password requests whose name contains this, as imported
 *     npm run bench:timing -- --bundles       the bundles that are deployed instead of the sources
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { routes } from '../shared/contract/api.ts';
import { isPublicByProject } from '../shared/contract/route.ts';
import { keys } from '../shared/db/keys.ts';
import { hashPassword } from '../shared/identity/passwords/password-hash.ts';
import { newPassword } from '../shared/identity/passwords/passwords.ts';
import { newSecretId } from '../shared/model/ids.ts';
import { lifetimes } from '../shared/model/limits.ts';
import { type Rate, rates } from '../shared/model/rates.ts';
import { ask, backendOf, inBatches } from './http.ts';
import { table } from './report.ts';
import { startService } from './service-process.ts';
import { croppedWelchTest, welchTest } from './welch-test.ts';

const { values: flags } = parseArgs({
  options: {
    pairs: { type: 'string', default: '2000' },
    minutes: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
    bundles: { type: 'boolean', default: false },
  },
});
const warmUp = 30;
const count = Number(flags.pairs) + warmUp;
/** |t| from which a difference is significant. */
const limit = 4.5;

const password = 'a wrong password of some length';
/**
 * The endpoints that a stranger can call with an e-mail. Passkeys, accounts at providers, second steps and
 * reauthentication require a handle, a code or a token, from which nobody learns an e-mail.
 *
 * The number of requests for one e-mail is below the rate limit, which then affects both kinds equally.
 */
const questions = [
  { path: '/sessions/password', status: 401, repeats: 8, more: { password } },
  { path: '/passwords/forgotten', status: 202, repeats: 3 },
  { path: '/codes', status: 202, repeats: 3 },
  { path: '/links', status: 202, repeats: 3, more: { challenge: 'x'.repeat(43) } },
  // The step after a mail, with a wrong proof: the mail was requested whether or not an account has the e-mail.
  {
    path: '/sessions/code',
    status: 401,
    repeats: 3,
    begun: { path: '/codes', id: 'challenge_id' },
    more: { code: '000000' },
  },
  {
    path: '/sessions/link',
    status: 401,
    repeats: 3,
    begun: { path: '/links', id: 'link_id' },
    more: { token: 'x'.repeat(43), verifier: 'y'.repeat(43) },
  },
  { path: '/sign-up', status: 202, repeats: 3 },
  // Rejected without a captcha, which the project requires after one failure. Such an attempt is not counted.
  { path: '/sessions/password', status: 403, repeats: 8, more: { password }, captcha: true },
  // Last, because from then on a wrong password of the project costs more. bcrypt's most usual hash, of no password.
  {
    path: '/sessions/password',
    status: 401,
    repeats: 8,
    more: { password },
    imported: `$2b$10$${'.'.repeat(53)}`,
  },
]
  .map((question) => ({
    ...question,
    name: `${question.path}${question.imported ? ', imported' : ''}${question.captcha ? ', captcha' : ''}`,
  }))
  .filter(({ name }) => name.includes(flags.only));

await using service = await startService(flags.bundles);
const placeOf = ({ captcha }: { captcha?: boolean | undefined }) => ({
  ...service,
  ...(captcha && service.projects.find(({ project_id }) => project_id === 'bench-captcha')),
});
type Place = ReturnType<typeof placeOf>;
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const put = (Item: Record<string, unknown>) =>
  client.send(new PutCommand({ TableName: 'bench', Item }));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const rows: string[][] = [];
let worst = 0;
for (const question of questions) {
  const { known, unknown } = await measure(question);
  const { a, b, t } = welchTest(known, unknown);
  const cropped = croppedWelchTest(known, unknown);
  worst = Math.max(worst, Math.abs(t), Math.abs(cropped.t));
  const numbers = [a.toFixed(2), b.toFixed(2), (a / b).toFixed(4), t.toFixed(2)];
  rows.push([`POST ${question.name}`, `${known.length}`, ...numbers, cropped.t.toFixed(2)]);
  process.stderr.write(`${question.path} `);
}
process.stderr.write('\n');
const heads = [
  'request',
  'pairs',
  'known, ms',
  'unknown, ms',
  'ratio',
  't',
  't of the fastest 90 %',
];
console.log(table(heads, rows));
console.log(`\nLargest |t|: ${worst.toFixed(2)}; ${limit} would be a difference.`);
if (!(worst < limit)) process.exitCode = 1;
agent.destroy();
client.destroy();

/** Measures the times of both kinds in milliseconds, one request at a time, in random order within a pair. */
async function measure(question: (typeof questions)[number]) {
  const { path, status, repeats, more, imported, begun } = question;
  const place = placeOf(question);
  const { project_id } = place;
  const accounts = await makeAccounts(place, Math.ceil(count / repeats), imported);
  // Before that time, an instance may not know that the project has imported hashes.
  if (imported) await sleep((lifetimes.projectCache + 1) * 1_000);
  const until = Date.now() + (Number(flags.minutes) * 60_000) / questions.length;
  const times = { known: [] as number[], unknown: [] as number[] };
  let lifted = 0;
  for (let i = 0; i < count && Date.now() < until; i += 1) {
    if (Date.now() >= lifted) {
      await liftRates(place);
      lifted = Date.now() + (rates.networkDoor.seconds * 1_000) / 2;
    }
    const kinds = ['known', 'unknown'] as const;
    for (const kind of Math.random() < 0.5 ? kinds : kinds.toReversed()) {
      const email = accounts[kind][Math.floor(i / repeats)];
      const of = begun ? await begin(begun, email) : { email };
      const body = { project_id, ...of, ...more };
      const began = performance.now();
      const answer = await ask(service.url, { method: 'POST', path, body }, agent);
      const time = performance.now() - began;
      // The first request for an e-mail in each quarter of an hour is the failure after which a captcha is required.
      if (question.captcha && answer.status === 401) continue;
      if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      if (i >= warmUp) times[kind].push(time);
    }
  }
  return times;
}

/** Requests a mail, and resolves with the field that identifies it in the next request. */
async function begin({ path, id }: { path: string; id: string }, email: string | undefined) {
  const more = path === '/links' && { challenge: 'x'.repeat(43) };
  const body = { project_id: service.project_id, email, ...more };
  const answer = await ask(service.url, { method: 'POST', path, body }, agent);
  if (answer.status !== 202) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return { [id]: (JSON.parse(answer.text) as Record<string, string>)[id] };
}

/** Creates e-mails of the same form: half of them have an account with a password, the others have none. */
async function makeAccounts(place: Place, size: number, imported: string | undefined) {
  const emails = () =>
    Array.from({ length: size }, () => `person-${newSecretId()}${newSecretId()}@example.com`);
  const accounts = { known: emails(), unknown: emails() };
  const backend = backendOf(place);
  if (imported !== undefined) {
    await inBatches(accounts.known, (email) =>
      backend('POST', '/users/import', { users: [{ email, password_hash: imported }] }, 200),
    );
    return accounts;
  }
  const now = new Date();
  // One hash is enough for all.
  const hash = await hashPassword('the right password of some length');
  await inBatches(accounts.known, async (email) => {
    const body = { email, email_verified: true, display_name: 'A Person' };
    const { uid = '' } = await backend('POST', '/users', body);
    await put(newPassword(uid, hash, now));
  });
  return accounts;
}

/**
 * Lifts the rate limits of this address and of the project, in the current and the next window: the counts start far
 * below zero.
 */
async function liftRates({ project_id }: Place): Promise<void> {
  const network = `${project_id} 127.0.0.1`;
  const limits: [Rate, string][] = [
    ...(['failuresFromOne', 'mailsFromOne'] as const).map((rate): [Rate, string] => [
      rate,
      network,
    ]),
    ...routes.filter(isPublicByProject).flatMap(({ name }): [Rate, string][] => [
      ['networkDoor', `${project_id} ${name} 127.0.0.1`],
      ['projectDoor', `${project_id} ${name}`],
    ]),
  ];
  for (const [rate, subject] of limits) {
    const { seconds } = rates[rate];
    const window = Math.floor(Date.now() / 1_000 / seconds);
    for (const each of [window, window + 1]) {
      const key = keys.rate(rate, subject, each);
      await put({ ...key, count: -1_000_000, expires_at: (each + 2) * seconds });
    }
  }
}
