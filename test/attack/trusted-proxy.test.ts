import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { expectProblem } from '../support/expectations.ts';
import { goodPassword, signInProject } from '../support/sign-in.ts';
import { atWindow } from '../support/started.ts';
import { startWorld } from '../support/world.ts';

/** Behind the operator's CloudFront, and around it. */

const world = await startWorld({ subscribers: false });
const secret = 'a secret that CloudFront alone sends';
const behind = (address: string) => ({
  'x-origin-verify': secret,
  'cloudfront-viewer-address': `${address}:46532`,
});
const trust = ({ only = false } = {}) => {
  process.env['TRUSTED_PROXY_SHA256'] = createHash('sha256').update(secret).digest('hex');
  process.env['TRUSTED_PROXY_ONLY'] = String(only);
};
afterEach(() => {
  delete process.env['TRUSTED_PROXY_SHA256'];
  delete process.env['TRUSTED_PROXY_ONLY'];
});

const path = '/sessions/password';
const email = 'ada@example.com';
const minute = 60;

test('each client behind the proxy is a source of its own: 100 failures of one do not block another', async () => {
  const at = await signInProject(world);
  await at.signUp(email);
  trust();
  atWindow(10 * minute, 2 * minute);
  const window = Math.floor(Date.now() / (10 * minute * 1_000));
  await world.table.put({
    ...keys.rate('failuresFromOne', `${at.project_id} 203.0.113.7`, window),
    count: 100,
  });
  const from = (headers: Record<string, string>) =>
    world.call({
      method: 'POST',
      path,
      body: { project_id: at.project_id, email, password: goodPassword },
      headers,
    });
  expectProblem(await from(behind('203.0.113.7')), 'too_many_requests');
  const other = await from(behind('198.51.100.10'));
  expect(other.status).toBe(201);
  expect((await from(behind('2001:db8:0:1::a'))).status).toBe(201);
  // A client that forges the header is counted by its connection, so it cannot use up another client's attempts.
  expect((await from({ ...behind('203.0.113.7'), 'x-origin-verify': 'guess' })).status).toBe(201);
  const { body } = await world.call('GET', '/sessions', `Bearer ${other.body.access_token}`);
  const addresses = body.result.map(({ address }: { address: string }) => address).sort();
  expect(addresses.slice(-3)).toEqual(['127.0.0.0/24', '198.51.100.0/24', '2001:db8:0::/48']);
});

describe('if only the proxy is trusted', () => {
  test('a request past the proxy gets 403 on every path, and reaches no handler', async () => {
    trust({ only: true });
    const before = await world.table.all();
    for (const [method, target] of [
      ['GET', '/users/me'],
      ['GET', '/.well-known/jwks.json'],
      ['POST', path],
      ['GET', '/nowhere'],
    ] as const) {
      const headers = { ...behind('198.51.100.10'), 'x-origin-verify': 'guess' };
      for (const given of [{}, headers]) {
        const refused = await world.call({
          method,
          path: target,
          auth: world.project.basic,
          headers: given,
          ...(method === 'POST' && { body: {} }),
        });
        expect([refused.status, refused.body]).toEqual([403, { message: 'Forbidden' }]);
        expect(refused.headers.get('cache-control')).toBe('no-store');
      }
    }
    expect(await world.table.all()).toEqual(before);
  });

  test('a request through the proxy is answered', async () => {
    trust({ only: true });
    const headers = behind('198.51.100.10');
    const found = await world.call({ method: 'GET', path: '/.well-known/jwks.json', headers });
    expect(found.status).toBe(200);
  });
});
