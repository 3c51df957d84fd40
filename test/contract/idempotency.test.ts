/** @module-tag source */
import { randomUUID } from 'node:crypto';
import { text as textOf } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#shared/contract/api.ts';
import { takesIdempotencyKey } from '#shared/contract/route.ts';
import { limits } from '#shared/model/limits.ts';
import type { Prepare } from '../support/budgets/case.ts';
import { budgetCases } from '../support/budgets/cases.ts';
import { type Call, responseTo } from '../support/call.ts';
import { nameOf } from '../support/call-names.ts';
import { expectProblem } from '../support/expectations.ts';
import { startWorld } from '../support/world.ts';

// Event consumers are off, so that only the request's own writes are recorded.
const world = await startWorld({ subscribers: false });
const { dynamodb } = await import('#shared/db/client.ts');
/** The calls to the table since the start of the observed work. */
let calls: string[] = [];
dynamodb.middlewareStack.add(
  (next, { commandName = '' }) =>
    (args) => {
      const input = args.input as Parameters<typeof nameOf>[0]['input'];
      calls.push(nameOf({ name: commandName.replace('Command', ''), input }));
      return next(args);
    },
  // Recorded below the document client, which converts plain data to attribute values.
  { step: 'build' },
);

/** Sends a call and returns the response's text, for a comparison byte by byte. */
async function send(call: Call) {
  const response = await responseTo(world.url, call);
  const { 'idempotency-replayed': replayed, etag } = response.headers;
  return { status: response.statusCode ?? 0, text: await textOf(response), replayed, etag };
}

const withKey = (call: Call, key: string): Call => ({
  ...call,
  headers: { ...call.headers, 'idempotency-key': key },
});

/** Sends a call and returns its writes, without counters of attempts and mails. */
async function watch(call: Call) {
  calls = [];
  const made = calls;
  const result = await send(call);
  const writes = made.filter(
    (each) => /^(?:Transact|Put|Update|Delete)/.test(each) && !each.startsWith('UpdateItem rate'),
  );
  return { result, writes };
}

/** Another request of the same kind of caller. */
const another = ({ auth = '', body, path, headers }: Call): Call => {
  // Two routes accept the cookie.
  if (headers?.['cookie'] !== undefined)
    return path.endsWith('/token')
      ? { method: 'DELETE', path: path.replace(/\/token$/, ''), headers }
      : { method: 'POST', path: `${path}/token`, headers };
  const { project_id } = (body ?? {}) as { project_id?: string };
  if (auth === '')
    return { method: 'POST', path: '/codes', body: { project_id, email: 'other@example.com' } };
  return auth.startsWith('Basic')
    ? { method: 'POST', path: '/users', auth, body: { email: 'other@example.com' } }
    : { method: 'POST', path: '/users/me/email', auth, body: { email: 'other@example.com' } };
};

/** Cases whose response is stored separately, because they write nothing else. */
const alone = new Set([
  // Found, already done, or unchanged.
  'sessions.refresh Refresh, repeated',
  'browserSessions.refresh Cookie, repeated',
  'browserSessions.end Cookie, ended already',
  'users.create Basic, known e-mail',
  // Each user is a separate transaction.
  'users.import Basic, 1 new user with a password and an identity',
  'users.import Basic, 20 new users with passwords and identities',
  'users.import Basic, a user who exists',
  'users.delete Basic, again',
  'domains.prove Bearer, proven before',
  'members.join Basic, a member already',
  'members.suspend Basic, suspended already',
  'invitations.create Basic, 20 e-mails again',
  'invitations.accept Bearer, a member already',
  'joinRequests.create Bearer, repeated',
  // It creates a schedule, not a write; a repetition has the same id.
  'webhooks.redeliver Basic, an event among 2,000',
  'webhooks.redeliver Basic, a range',
]);

/** Writes that happen before the response is known, whatever the outcome: an attempt, and the start of a redelivery. */
const written: Partial<Record<string, string[]>> = {
  'codes.verify': ['UpdateItem challenge'],
  'links.signIn': ['UpdateItem sign-in link'],
  'factors.confirmTotp': ['UpdateItem factor'],
  'factors.deleteTotp': ['UpdateItem factor'],
  'factors.renewRecoveryCodes': ['UpdateItem factor'],
  'factors.signIn': ['UpdateItem factor'],
  'factors.confirmEnrolment': ['UpdateItem factor'],
  'webhooks.redeliver': ['UpdateItem delivery'],
};

describe.each(routes.filter(takesIdempotencyKey))('$name', ({ name, path }) => {
  const cases = budgetCases(world)[name];
  const labels = Object.keys(cases);

  test.each(labels)('%s: is applied once, and a retry gets the same response', async (label) => {
    const { refused, ...call } = await (cases[label] as Prepare)();
    const key = randomUUID();
    const { result, writes } = await watch(withKey(call, key));
    if (refused !== undefined) {
      expect(result).toMatchObject({ status: refused, replayed: undefined });
      // The response is not stored, so the key is free again. A failed sign-in is counted separately.
      const own = writes.filter((each) => each !== 'UpdateItem counters');
      expect(own.at(-1)).toBe('DeleteItem idempotency record');
      return;
    }
    expect(result.status, result.text).toBeLessThan(300);
    expect(writes.filter((each) => each === 'PutItem idempotency record')).toHaveLength(1);
    const together = writes.filter((each) => /Transact.*update idempotency record/.test(each));
    const isAlone = alone.has(`${name} ${label}`);
    expect([writes.includes('UpdateItem idempotency record'), writes]).toEqual([isAlone, writes]);
    if (!isAlone) expect([together.length, writes]).toEqual([1, writes]);

    const second = await watch(withKey(call, key));
    expect(second.result).toEqual({ ...result, replayed: 'true' });
    expect(second.writes.filter((each) => each !== 'PutItem idempotency record')).toEqual([]);
  });

  const prepare = cases[labels[0] as string] as Prepare;

  describe('of its first case', () => {
    let call: Call;
    beforeAll(async () => {
      const { refused: _, ...prepared } = await prepare();
      call = prepared;
    });

    test('a response that is too large to be recorded is refused before anything is done', async () => {
      const { sealedAnswer } = limits;
      const settings = limits as { sealedAnswer: number };
      settings.sealedAnswer = 0;
      const { result, writes } = await watch(withKey(call, randomUUID()));
      settings.sealedAnswer = sealedAnswer;
      expect([result.status, result.text]).toEqual([
        413,
        expect.stringContaining('Idempotency-Key'),
      ]);
      expect(writes).toEqual([
        'PutItem idempotency record',
        ...(written[name] ?? []),
        'DeleteItem idempotency record',
      ]);
    });

    test('another request with the same key is refused', async () => {
      const key = randomUUID();
      await send(withKey(call, key));
      const other = await world.call(withKey(another(call), key));
      // A refresh token is valid for no other request, and an ended session for none.
      const only = ['sessions.refresh', 'sessions.signOut'].includes(name);
      if (only) expect(other.status).toBe(401);
      else expectProblem(other, 'idempotency_key_reused');
    });
  });

  const [, kind = '', named = ''] = path.split('/');
  // Neither `me`, nor what the request itself creates.
  const hasId = ['users', 'workspaces'].includes(kind) && named.startsWith('{');
  test.runIf(hasId)(
    'a missing resource gets the same response with a key as without one',
    async () => {
      const { refused: _, ...call } = await prepare();
      // Only the receipt of a deleted resource is left, which must not be mistaken for the resource.
      const id = call.path.split('/')[2] ?? '';
      const gone = await world.call('DELETE', `/${kind}/${id}`, world.project.basic, {});
      // Skips users who own a workspace.
      if (gone.status !== 200) return;
      await world.drainStream();
      const answerOf = async (sent: Call) => {
        const { status, text } = await send(sent);
        return { status, code: (JSON.parse(text) as { code?: string }).code };
      };
      const keyed = await answerOf(withKey(call, randomUUID()));
      expect(keyed).toEqual(await answerOf(call));
      expect(keyed.status).toBeLessThan(500);
    },
  );
});
