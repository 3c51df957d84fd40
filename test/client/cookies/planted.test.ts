import { describe, expect, test } from 'vitest';
import { createCookieHandler, readAccessToken } from '../../../client/cookies.ts';
import { signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

/** Cookies that a subdomain or a network attacker has planted in the browser. */

const world = await startWorld();
const at = await signInProject(world);
let calls = 0;
const options = {
  url: world.url,
  projectId: at.project_id,
  fetch: ((...call) => {
    calls += 1;
    return fetch(...call);
  }) satisfies typeof fetch,
};
const victim = await at.signUp('victim@example.com');

describe('a cookie planted by an attacker', () => {
  const handler = createCookieHandler({ ...options, secure: true });
  const csrf = 'c'.repeat(43);
  const mine = `${victim.refresh_token}:${victim.access_token}`;
  async function ask(cookie: string) {
    const response = await handler(
      new Request('https://app.example.com/auth/token', {
        method: 'POST',
        headers: {
          origin: 'https://app.example.com',
          'content-type': 'application/json',
          'x-csrf': '1',
          'x-csrf-token': csrf,
          cookie,
        },
        body: '{}',
      }),
    );
    const { code } = (await response.json()) as { code?: string };
    return { status: response.status, code, response };
  }
  const proof = `__Host-session-csrf=${csrf}`;

  test('does not replace the cookie with the prefix __Host-, which is accepted', async () => {
    expect((await ask(`${proof}; __Host-session=${mine}`)).status).toBe(200);
    expect((await ask(`a=b;${proof} ;\t__Host-session=${mine} ; c`)).status).toBe(200);
  });

  test.each([
    ['without the prefix', `session=${mine}`],
    ['with a prefix that browsers do not guard', `__host-session=${mine}`],
    ['after a no-break space, which trim() would remove', `\u00a0__Host-session=${mine}`],
    ['after a line separator', `\u0085__Host-session=${mine}`],
    ['in quotes', `__Host-session="${mine}"`],
    ['beside the real one', `__Host-session=${mine}; __Host-session=${mine}`],
    ['in an old form', `$Version=1,__Host-session=${mine}`],
  ])('%s is not accepted as a session', async (_, cookie) => {
    calls = 0;
    expect(await ask(`${proof}; ${cookie}`)).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(calls).toBe(0);
  });

  test('with thousands of spaces is parsed quickly', () => {
    const began = performance.now();
    const cookie = `a${' '.repeat(16_000)}b=1; __Host-session=${mine}`;
    expect(readAccessToken({ headers: { cookie } })).toBe(victim.access_token);
    expect(performance.now() - began).toBeLessThan(100);
  });

  test.each([
    ['without the prefix', `session-csrf=${csrf}`],
    ['beside the real one', `${proof}; __Host-session-csrf=${'d'.repeat(43)}`],
  ])('%s is not accepted as a CSRF cookie', async (_, cookie) => {
    expect((await ask(`${cookie}; __Host-session=${mine}`)).status).toBe(403);
  });

  test('cannot inject text into another header', async () => {
    for (const value of [
      'a b:c',
      'rt_x%0d%0aset-cookie: a=b:x.y.z',
      `${victim.refresh_token}:a,b`,
      `${victim.refresh_token}, Basic x:${victim.access_token}`,
      `${'r'.repeat(1_001)}:a`,
      ':',
    ]) {
      calls = 0;
      const { status, response } = await ask(`${proof}; __Host-session=${value}`);
      expect([status, calls]).toEqual([401, 0]);
      expect(response.headers.getSetCookie()).toEqual([
        '__Host-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
      ]);
    }
    // These only look like tokens, and the service refuses them.
    const { status } = await ask(`${proof}; __Host-session=x:y`);
    expect(status).toBe(401);
  });
});
