/** @module-tag source */
import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { lifetimes } from '#shared/model/limits.ts';
import { expectProblem } from '../support/expectations.ts';
import { startWorld } from '../support/world.ts';
import { flipped, respelled } from './tokens.ts';
import { fitsHeader, partsOf, silence } from './traces.ts';

/** Basic credentials that are changed, re-encoded and guessed, and credentials of every size. */

const world = await startWorld();
const { dynamodb } = await import('#shared/db/client.ts');
const person = await world.user();
const other = await world.newProject();
const { project_id, secret, basic } = world.project;
const credential = basic.slice('Basic '.length);
const log = silence();

const list = (authorization: string) =>
  world.call('GET', `/sessions?user_id=${person.uid}`, authorization);
const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');
const digest = (content: string) => createHash('sha256').update(content).digest('base64url');
/** A well-formed secret that does not exist. */
const invented = (body = randomBytes(32).toString('base64url')) =>
  `wsk_${body}${digest(body).slice(0, 6)}`;

let before: unknown[];
let project: Record<string, unknown>;
beforeAll(async () => {
  await list(basic);
  before = await world.table.all();
  project = (await world.table.get(keys.project(project_id))) ?? {};
});
async function expectGood(): Promise<void> {
  const { status, body } = await list(basic);
  expect([status, body.total]).toEqual([200, 1]);
}
beforeEach(expectGood);
afterEach(async () => {
  await expectGood();
});

async function expectRefused(authorization: string): Promise<void> {
  log.clear();
  const answer = await list(authorization);
  expectProblem(answer, 'unauthenticated');
  expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="project", charset="UTF-8"/);
  log.expectWithout([...partsOf(authorization), secret], answer);
}

const of = (id: string, given: string) => base64(`${id}:${given}`);
const body = secret.slice(4, -6);

describe('refused', () => {
  test('this credential has two padding characters', () => {
    expect(credential).toMatch(/[^=]==$/);
  });

  test.each<[string, string]>([
    ['as text', `${project_id}:${secret}`],
    ['encoded twice', base64(credential)],
    ['in base64url', Buffer.from(`${project_id}:${secret}\u00ff\u00bf`).toString('base64url')],
    ['in hex', Buffer.from(`${project_id}:${secret}`).toString('hex')],
    ['in UTF-16', Buffer.from(`${project_id}:${secret}`, 'utf16le').toString('base64')],
    ['after a byte order mark', of(`\ufeff${project_id}`, secret)],
    ...[1, 3, 4, 1_000].map((length): [string, string] => [
      `with ${length} of = where two belong`,
      credential.replace(/=*$/, '='.repeat(length)),
    ]),
    ['with padding inside', `${credential.slice(0, 8)}==${credential.slice(8)}`],
    ['with a character outside base64', `${credential.slice(0, 8)}!${credential.slice(8)}`],
    ['with a trailing dot', `${credential}.`],
    ['URL-encoded', encodeURIComponent(`${credential}=`)],
    ['in quotes', `"${credential}"`],
    ['twice in a row', credential.replace(/=+$/, '') + credential],
    ['without a colon', base64(project_id + secret)],
    ['with another separator', base64(`${project_id};${secret}`)],
    ['with two colons', of(project_id, `:${secret}`)],
    ['with id and secret swapped', of(secret, project_id)],
    ['the project alone', of(project_id, '')],
    ['the secret alone', of('', secret)],
    ...[
      ...[project_id.toUpperCase(), `${project_id} `, ` ${project_id}`, `${project_id}\0`],
      ...[
        `${project_id}\n`,
        `PROJECT#${project_id}`,
        `${project_id}#`,
        `${project_id}/`,
        '*',
        '..',
      ],
      ...[
        '__proto__',
        'constructor',
        'x'.repeat(64),
        'x'.repeat(2_500),
        other.project_id,
        'nobody',
      ],
    ].map((id): [string, string] => [
      `the project ${id.length > 60 ? `of ${id.length} letters` : JSON.stringify(id)}`,
      of(id, secret),
    ]),
    ...[
      ...[secret.toLowerCase(), secret.slice(0, -1), `${secret}A`, `${secret} `, ` ${secret}`],
      ...[`${secret}\0`, `${secret}\n`, `${secret}=`, flipped(secret, 10), respelled(secret)],
      ...[body, `wsk_${body}`, secret.slice(4), `wsk_${secret}`, digest(secret), other.secret],
      ...[invented(), invented(digest(secret)), invented('A'.repeat(43)), 'wsk_', 'x', 'undefined'],
      ...[`wsk_${respelled(body)}${digest(respelled(body)).slice(0, 6)}`, person.access_token],
    ].map((given, i): [string, string] => [`another secret, no. ${i + 1}`, of(project_id, given)]),
  ])('%s', async (_name, given) => {
    expect(given).not.toBe(credential);
    expect(fitsHeader(given)).toBe(true);
    await expectRefused(`Basic ${given}`);
  });

  test('any value that the table stores of the project and its secret', async () => {
    const [kept = {}] = project['secrets'] as Record<string, string>[];
    const known = [...Object.values(kept), ...Object.values(project)].map(String);
    expect(known).toContain(digest(secret));
    for (const each of known) {
      await expectRefused(`Basic ${of(project_id, each)}`);
      await expectRefused(`Basic ${of(project_id, invented(each.padEnd(43, 'A').slice(0, 43)))}`);
    }
  });
});

describe('accepted', () => {
  test.each([
    ['unpadded', `Basic ${credential.replace(/=+$/, '')}`],
    ['the scheme in another case', `bASIC ${credential}`],
  ])('%s', async (_name, authorization) => {
    expect((await list(authorization)).status).toBe(200);
  });
});

test('a burst of invented secrets causes one read of the project per second', async () => {
  let reads = 0;
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      if (JSON.stringify(args.input).includes(`"${keys.project(project_id).pk}"`)) reads += 1;
      return next(args);
    },
    { step: 'initialize', name: 'projects read' },
  );
  let now = Date.now();
  const storm = async () => {
    now += lifetimes.projectReread * 1_000;
    vi.useFakeTimers({ toFake: ['Date'], now });
    reads = 0;
    const storming = Array.from({ length: 100 }, () => list(`Basic ${of(project_id, invented())}`));
    const statuses = (await Promise.all([...storming, list(basic)])).map(({ status }) => status);
    expect(statuses).toEqual([...Array.from({ length: 100 }, () => 401), 200]);
    return reads;
  };
  await storm();
  expect([await storm(), await storm()]).toEqual([1, 1]);
});

/** Sends one raw request. Resolves with the response as far as it arrives before the server closes the connection. */
async function answerTo(...head: string[]): Promise<string> {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  const lines = [...head, `Host: ${hostname}`, 'Connection: close', '', ''];
  socket.on('error', () => undefined);
  socket.write(lines.join('\r\n'));
  return text(socket).catch(() => 'hung up');
}

describe('of any size', () => {
  test.each<[string, string, number, RegExp]>([
    ['Basic', 'A', 4_000, /^HTTP\/1\.1 401 [^]*"code":"unauthenticated"/],
    ['Basic', 'A', 9_000, /^HTTP\/1\.1 401 [^]*"code":"unauthenticated"/],
    ['Bearer', 'A', 9_000, /^HTTP\/1\.1 401 [^]*"code":"unauthenticated"/],
    ['Bearer', '.', 9_000, /^HTTP\/1\.1 401 [^]*"code":"unauthenticated"/],
    ['Bearer', 'A.', 4_500, /^HTTP\/1\.1 401 [^]*"code":"unauthenticated"/],
    // From this size, API Gateway responds or closes the connection: no function is reached.
    ['Bearer', 'A', 12_000, /^HTTP\/1\.1 431 /],
    ['Bearer', 'A', 1_000_000, /^(?:HTTP\/1\.1 431 |hung up$|$)/],
    ['Basic', 'A', 1_000_000, /^(?:HTTP\/1\.1 431 |hung up$|$)/],
  ])('%s with %j repeated %i times', async (scheme, letter, count, expected) => {
    const line = `Authorization: ${scheme} ${letter.repeat(count)}`;
    expect(await answerTo('GET /users/me HTTP/1.1', line)).toMatch(expected);
  });
});

test('none of these requests has changed anything', async () => {
  const without = (items: unknown[]) =>
    items.filter((item) => !(item as { pk: string }).pk.startsWith('SECRET_USE#'));
  expect(without(await world.table.all())).toEqual(without(before));
});
