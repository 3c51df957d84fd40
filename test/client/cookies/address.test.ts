import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { createCookieHandler } from '../../../client/cookies.ts';
import { pageRequest } from '../../support/cookie-browser.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

/** The client's address as a trusted backend passes it to the service. */

const world = await startWorld({ subscribers: false });
const at = await signInProject(world);
const email = 'ada@example.com';
await at.signUp(email);
const secret = 'a secret that this backend alone sends';
afterEach(() => {
  delete process.env['TRUSTED_PROXY_SHA256'];
});

/** The networks of the user's sessions after a sign-in through a backend that passes this client address. */
async function networksAfter(address: string | undefined, sent: string) {
  process.env['TRUSTED_PROXY_SHA256'] = createHash('sha256').update(secret).digest('hex');
  const handler = createCookieHandler({
    url: world.url,
    projectId: at.project_id,
    trustedProxy: { secret: sent, addressOf: () => address },
  });
  const response = await handler(
    pageRequest('/auth/sign-in/password', {
      headers: {
        'user-agent': 'Firefox of Ada',
        // A header that the client itself sends is ignored.
        'cloudfront-viewer-address': '192.0.2.9:1',
        'x-forwarded-for': '192.0.2.9',
      },
      body: { email, password: goodPassword },
    }),
  );
  expect(response.status).toBe(201);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-session=rt_[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    ),
    expect.stringMatching(/^__Host-session-device=dt_/),
  ]);
  const { access_token } = (await response.json()) as { access_token: string };
  const { body } = await world.call('GET', '/sessions', `Bearer ${access_token}`);
  const [session] = body.result as { address: string; user_agent: string }[];
  expect(session?.user_agent).toBe('Firefox of Ada');
  return session?.address;
}

test.each([
  ['198.51.100.10', '198.51.100.0/24'],
  ['2001:db8:0:1::a', '2001:db8:0::/48'],
  // Not an address: the service uses the backend's own.
  [undefined, '127.0.0.0/24'],
  ['198.51.100.10\r\nx: y', '127.0.0.0/24'],
])('for a client at %j the service stores %s', async (address, network) => {
  expect(await networksAfter(address, secret)).toBe(network);
});

test('without the secret the service ignores the forwarded address', async () => {
  expect(await networksAfter('198.51.100.10', 'a guess')).toBe('127.0.0.0/24');
});
