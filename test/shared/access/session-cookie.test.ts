import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  callerOfCookie,
  clearSessionCookie,
  keepSessionCookie,
  projectsOfCookies,
  readSessionCookie,
} from '#shared/access/session-cookie.ts';
import { ApiError } from '#shared/model/errors.ts';

const at = (url: string) => vi.stubEnv('BASE_URL', url);
afterEach(() => at('https://id.example.com'));
at('https://id.example.com');

describe('the session cookie', () => {
  test('over https cannot be set by another host of the domain, and is never sent over http', () => {
    expect(keepSessionCookie('demo', 'rt_x', 60)).toBe(
      '__Host-session-demo=rt_x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    );
    expect(clearSessionCookie('demo')).toBe(
      '__Host-session-demo=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    );
    expect(readSessionCookie(['__Host-session-demo=rt_x'], 'demo')).toBe('rt_x');
    // An attacker who can answer HTTP requests for any host of the domain can set this one.
    expect(readSessionCookie(['session-demo=rt_x'], 'demo')).toBeUndefined();
  });

  test('on localhost has no prefix, which a browser would refuse', () => {
    at('http://localhost:3000');
    expect(keepSessionCookie('demo', 'rt_x', 60)).toBe(
      'session-demo=rt_x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax',
    );
    expect(readSessionCookie(['session-demo=rt_x'], 'demo')).toBe('rt_x');
  });

  test.each<[string[], string | undefined]>([
    [[], undefined],
    [['__Host-session-demo='], undefined],
    // Any host of the domain can set this one, because for a browser it does not begin with the prefix.
    [['\u00a0__Host-session-demo=rt_x'], undefined],
    [['__Host-session-demo=rt_x', '\u2000__Host-session-demo=rt_y'], 'rt_x'],
    [['a=1', '__Host-session-demo=rt_x', 'b=2'], 'rt_x'],
    [['a=1; __Host-session-demo=rt_x; b=2'], 'rt_x'],
    [['__Host-session-demo=rt=x'], 'rt=x'],
    // Cookies with similar names.
    [['__Host-session-demo1=rt_x'], undefined],
    [['__Host-session-dem=rt_x'], undefined],
    [['__host-session-demo=rt_x'], undefined],
    [['x__Host-session-demo=rt_x'], undefined],
    [['__Host-session-demo'], undefined],
    // Neither of the two can be identified as ours.
    [['__Host-session-demo=rt_x', '__Host-session-demo=rt_y'], undefined],
    [['__Host-session-demo=rt_x', '__Host-session-demo=rt_x'], undefined],
    [['__Host-session-demo=rt_x; __Host-session-demo=rt_y'], undefined],
    [['__Host-session-demo=rt_x', '__Host-session-demo='], undefined],
  ])('read from %j is %s', (cookies, token) => {
    expect(readSessionCookie(cookies, 'demo')).toBe(token);
  });

  test('is found quickly beside a cookie full of blanks', () => {
    const began = performance.now();
    const blanks = `a${'\t'.repeat(50_000)}b=1`;
    expect(readSessionCookie([blanks, '__Host-session-demo=rt_x'], 'demo')).toBe('rt_x');
    expect(performance.now() - began).toBeLessThan(100);
  });

  test('names no caller without a project id, or with a malformed one', () => {
    const cookies = ['__Host-session-demo=rt_x', '__Host-session-=rt_y'];
    expect(callerOfCookie(cookies, 'demo')).toEqual({ kind: 'refresh', token: 'rt_x' });
    for (const project_id of [undefined, '', 'demo=rt_x', 'x; __Host-session-demo', 'Demo'])
      expect(() => callerOfCookie(cookies, project_id)).toThrow(ApiError);
  });
});

test('projectsOfCookies returns the projects with a session cookie, however the cookies are grouped', () => {
  const cookies = [
    ...['a=1;__Host-session-demo=rt_x ;  __Host-session-acme=rt=y', 'session-http=rt_x'],
    ...['x__Host-session-near=rt_x', 'x=__Host-session-', '__Host-session-valueless'],
    '__Host-session-ended=',
  ];
  expect(projectsOfCookies(cookies)).toEqual(['demo', 'acme', 'ended']);
});

test('a request without a session cookie is refused with that reason in the log', () => {
  expect(() => callerOfCookie([], 'demo')).toThrow(
    expect.objectContaining({ reason: 'no session cookie of the project' }),
  );
});
