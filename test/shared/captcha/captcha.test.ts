import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { judgeAnswer } from '#shared/captcha/siteverify.ts';
import { keys } from '#shared/db/keys.ts';
import { presentWindow } from '#shared/db/rate-limits.ts';
import { limits } from '#shared/model/limits.ts';
import { expectInvalid, expectProblem } from '../../support/expectations.ts';
import { logged } from '../../support/log.ts';
import { goodPassword, type SignIn, signInProject } from '../../support/sign-in.ts';
import { setCaptchaKeys, siteKey, startSiteverify } from '../../support/siteverify.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

/** The captcha of a project at every endpoint, verified by a provider on this machine. */

const world = await startWorld({});
const provider = await startSiteverify();
const { asked, setting, solve } = provider;
afterEach(() => {
  provider.answer();
});

let people = 0;
let hours = 0;
type Setting = Parameters<typeof setting>[0];
/** A project with a captcha, whose key the operator has set, and a user. */
async function place(more: Setting = {}, key: string | null = provider.secret) {
  people += 1;
  const email = `person${people}@captcha.example.com`;
  const ours = await signInProject(world);
  await ours.signUp(email);
  const { project_id } = ours;
  await world.operate({ action: 'update', project_id, captcha: setting(more) });
  const site = setting(more);
  await setCaptchaKeys(key === null ? [] : [{ project_id, site, key }]);
  // Past the caches of projects and secrets, and the rate limit windows.
  hours += 1;
  pass(hours * 3_600_000);
  asked.length = 0;
  return { ...ours, email };
}
type Place = Awaited<ReturnType<typeof place>>;

const challenge = 'c'.repeat(43);
/** An endpoint, with its captcha action and its status on success. */
type Door = [path: string, action: string, body: object, status: number];
const doors: Door[] = [
  ['/sessions/password', 'sign_in', { password: goodPassword }, 201],
  ['/sign-up', 'sign_up', {}, 202],
  ['/passwords/forgotten', 'reset_password', {}, 202],
  ['/codes', 'code', {}, 202],
  ['/links', 'link', { challenge }, 202],
];
type Refusal = { code: string; provider?: string; site_key?: string };
const enter = (ours: SignIn, email: string, [path, , body]: Door, captcha_token?: string) =>
  ours.post<Refusal>(path, { email, ...body, captcha_token });
const expectRequired = (answer: Awaited<ReturnType<typeof enter>>) =>
  expectProblem(answer, 'captcha_required', { provider: 'turnstile', site_key: siteKey });
const [signIn = doors[0]!, signUp = doors[1]!] = doors;

describe.each(doors)('%s', (...door) => {
  const [, action, , status] = door;

  test('accepts a token for its action, once, of which the provider gets only the key and the token', async () => {
    const at = await place();
    const before = await world.table.all();
    expectRequired(await enter(at, at.email, door));
    // Nothing is counted, and no provider is called.
    expect([await world.table.all(), asked]).toEqual([before, []]);
    const other = solve({ hostname: 'www.example.com', action: 'pay' });
    for (const wrong of ['made-up', other])
      expectProblem(await enter(at, at.email, door, wrong), 'captcha_invalid');
    asked.length = 0;
    const token = solve({ hostname: 'www.example.com', action });
    expect((await enter(at, at.email, door, token)).status).toBe(status);
    expect(asked.map(({ fields, type }) => [Object.fromEntries(fields), type])).toEqual([
      [{ secret: provider.secret, response: token }, 'application/x-www-form-urlencoded'],
    ]);
    expectProblem(await enter(at, at.email, door, token), 'captcha_invalid');
  });

  // Every other failure of the provider: 503 with the reason only in the log.
  test('while the provider fails: 503, nothing is written, and the next attempt works', async () => {
    const at = await place();
    const { email } = await at.newUser();
    const written = async () =>
      // Only counters stay in the table.
      (await world.table.all()).filter(({ pk }) => !String(pk).startsWith('RATE#'));
    const before = await written();
    provider.answer((response) => response.writeHead(500).end());
    const refused = await enter(at, email, door, solve());
    expectProblem(refused, 'temporarily_unavailable');
    expect(refused.headers.get('retry-after')).toBe('15');
    expect(await written()).toEqual(before);
    expect(await at.subjectsTo(email)).toEqual([]);
    provider.answer();
    // This user has no password.
    const admitted = action === 'sign_in' ? 401 : status;
    expect((await enter(at, email, door, solve())).status).toBe(admitted);
  });

  test('ignores a token if the project has no captcha', async () => {
    const at = await signInProject(world);
    asked.length = 0;
    const { email } = await at.signUp(`none-${action}@captcha.example.com`);
    expect((await enter(at, email, door, 'made-up')).status).toBe(status);
    expect(asked).toEqual([]);
  });
});

test('a token must be a text of a bounded length', async () => {
  const at = await place();
  for (const token of ['', 'x'.repeat(limits.captchaToken + 1)])
    expectInvalid(await enter(at, at.email, signIn, token), '/body/captcha_token');
});

describe('400 for a token', () => {
  const low = { hostname: 'www.example.com', score: 0.3 };
  test.each<[string, Setting, Parameters<typeof solve>[0]]>([
    ['of another page', {}, { hostname: 'evil.example.com' }],
    ['without a page', {}, {}],
    ['of a subdomain of ours', {}, { hostname: 'x.www.example.com' }],
    ['without the name of its page, except by hCaptcha', {}, { hostname: 'not-provided' }],
    ['with a low score, by reCAPTCHA v3', { provider: 'recaptcha' }, low],
  ])('%s', async (_, more, about) => {
    const at = await place(more);
    expectProblem(await enter(at, at.email, signIn, solve(about)), 'captcha_invalid');
  });

  test.each(['dummy-key-pass', 'example.com', 'testkey.google.com'])(
    "of a test key that names %s, except on a developer's machine",
    async (hostname) => {
      const at = await place();
      const token = solve({ hostname, action: 'test' });
      expect((await enter(at, at.email, signIn, token)).status).toBe(201);
      const answered = { success: true, hostname, action: 'test' };
      const judge = (local: boolean) => () =>
        judgeAnswer(answered, { captcha: setting(), action: 'sign_in', local });
      expect(judge(true)).not.toThrow();
      expect(judge(false)).toThrow(expect.objectContaining({ code: 'captcha_invalid' }));
    },
  );

  test('of another page by hCaptcha, but not for a missing page name, because it compares the site', async () => {
    const at = await place({ provider: 'hcaptcha' });
    const token = solve({ hostname: 'not-provided' });
    expect((await enter(at, at.email, signIn, token)).status).toBe(201);
    expect(asked[0]?.fields.get('sitekey')).toBe(siteKey);
    const other = solve({ hostname: 'evil.example.com' });
    expectProblem(await enter(at, at.email, signIn, other), 'captcha_invalid');
  });

  test('except with a low score by hCaptcha, where only a high score means a program', async () => {
    const at = await place({ provider: 'hcaptcha' });
    const token = solve({ hostname: 'www.example.com', score: 0.1 });
    expect((await enter(at, at.email, signIn, token)).status).toBe(201);
    // Only this provider compares the site.
    expect(asked[0]?.fields.get('sitekey')).toBe(siteKey);
  });
});

describe('503 with the reason only in the log', () => {
  const unavailable = async (at: Place) => {
    const token = solve();
    const { result, lines } = await logged(() => enter(at, at.email, signIn, token));
    expectProblem(result, 'temporarily_unavailable');
    const log = JSON.stringify(lines);
    expect(log).not.toContain(token);
    expect(log).not.toContain(provider.secret);
    return log;
  };

  test('if the operator has set no key', async () => {
    const at = await place({}, null);
    expect(await unavailable(at)).toContain(`There is no captcha key of ${at.project_id} `);
    expect(asked).toEqual([]);
  });

  test.each<[string, Setting]>([
    ['the verifying address changed', { verify_url: `${provider.url}/elsewhere` }],
    ['the site key changed', { site_key: 'another' }],
  ])('if the key was set before %s; it is sent nowhere', async (_, more) => {
    const at = await place();
    const { project_id } = at;
    await world.operate({ action: 'update', project_id, captcha: setting(more) });
    vi.setSystemTime(Date.now() + 3_600_000);
    hours += 1;
    expect(await unavailable(at)).toContain('There is no captcha key');
    expect(asked).toEqual([]);
  });

  test('if the key is wrong', async () => {
    expect(await unavailable(await place({}, 'wrong'))).toContain('invalid-input-secret');
  });

  const redirect = { location: 'http://127.0.0.1/' };
  test.each<[string, (response: ServerResponse) => unknown, string]>([
    ['a page of HTML', (r) => r.writeHead(200).end('<html>'), 'answered 200'],
    ['missing', (r) => r.destroy(), 'connection_failed'],
    ['a success of another type', (r) => r.end('{"success":"true"}'), 'answered []'],
    ['too long', (r) => r.end(`{"success":true,"x":"${'x'.repeat(20_000)}"}`), 'failed'],
    ['a redirect', (r) => r.writeHead(302, redirect).end(), 'answered 302'],
  ])("if the provider's response is %s", async (_, answer, reason) => {
    const at = await place();
    provider.answer(answer);
    expect(await unavailable(at)).toContain(reason);
  });

  test('after two seconds without a response, and after three such calls at once, for ten seconds', async () => {
    const at = await place();
    const paused = 'did not answer the calls before';
    const answered = async () => {
      provider.answer();
      const entered = await enter(at, 'again@captcha.example.com', signIn, solve());
      expectProblem(entered, 'invalid_credentials');
    };
    const hangs = () => provider.answer(() => {});
    hangs();
    for (let i = 0; i < 2; i += 1) expect(await unavailable(at)).toContain('timeout');
    // One that is answered begins the count anew.
    await answered();
    hangs();
    for (let i = 0; i < 3; i += 1) expect(await unavailable(at)).toContain('timeout');
    // On a busy machine the time of a request may be over first, which does not count.
    for (let i = 0; i < 5 && !(await unavailable(at)).includes(paused); i += 1);
    provider.answer();
    asked.length = 0;
    expect(await unavailable(at)).toContain(paused);
    expect(asked).toEqual([]);
    vi.setSystemTime(Date.now() + 10_000);
    await answered();
  });
});

const triesOf = async ({ project_id }: Place, email: string) =>
  (await world.table.get(keys.passwordTries({ project_id, email }))) ?? {};

test('attempts that no captcha was solved for leave a count that neither grows nor stays', async () => {
  const at = await place();
  const email = 'target@captcha.example.com';
  const counted = () => triesOf(at, email);
  for (let quarters = 0; quarters < 4; quarters += 1) {
    // At once: the one that counted first is not always the one that is taken back last.
    const attempts = [1, 2, 3].map(() => enter(at, email, signIn, 'made-up'));
    for (const refused of await Promise.all(attempts)) expectProblem(refused, 'captcha_invalid');
    vi.setSystemTime(Date.now() + 900_000);
  }
  // The next test begins later.
  hours += 1;
  const { total, expires_at, ...rest } = await counted();
  expect(Object.keys(rest).filter((name) => /^w\d+$/.test(name))).toHaveLength(1);
  expect(total).toBe(0);
  expect(Number(expires_at) - Date.now() / 1_000).toBeLessThanOrEqual(1_800);

  // The series of an account goes on: its count is kept for a year.
  expectProblem(await enter(at, email, signIn, solve()), 'invalid_credentials');
  expectProblem(await enter(at, email, signIn, 'made-up'), 'captcha_invalid');
  const { total: inARow, expires_at: end } = await counted();
  expect(inARow).toBe(1);
  expect(Number(end) - Date.now() / 1_000).toBeGreaterThan(364 * 86_400);
});

describe('with the rule after_failures', () => {
  const rule = { rule: 'after_failures', failures: 3 } as const;

  /** Three wrong passwords of this quarter of an hour, from other networks. */
  const guessedLately = ({ project_id }: { project_id: string }, email: string) => {
    const { window, ends } = presentWindow('passwordFailures', new Date());
    const tried = { [`w${window}`]: 3, total: 3, expires_at: ends + 900 };
    return world.table.put({ ...keys.passwordTries({ project_id, email }), ...tried });
  };

  test('the fourth attempt of a password needs a token; a refused attempt is not counted', async () => {
    const at = await place(rule);
    const tries = async () => (await triesOf(at, at.email))['total'];
    const wrong: Door = [signIn[0], signIn[1], { password: 'wrong' }, 401];
    for (let i = 1; i <= 3; i += 1) {
      expectProblem(await enter(at, at.email, wrong), 'invalid_credentials');
      expect(await tries()).toBe(i);
    }
    for (let i = 0; i < 3; i += 1) {
      expectRequired(await enter(at, at.email, signIn));
      expectProblem(await enter(at, at.email, signIn, 'made-up'), 'captcha_invalid');
      expect(await tries()).toBe(3);
    }
    expectProblem(await enter(at, at.email, wrong, solve()), 'invalid_credentials');
    expect(await tries()).toBe(4);
    expect((await enter(at, at.email, signIn, solve())).status).toBe(201);
    expect(await tries()).toBe(0);
  });

  test('an unknown e-mail behaves the same', async () => {
    const at = await place(rule);
    const email = 'nobody@captcha.example.com';
    await guessedLately(at, email);
    expectRequired(await enter(at, email, signIn));
    expectProblem(await enter(at, email, signIn, solve()), 'invalid_credentials');
  });

  test("a sign-in of the account's owner does not change the requirement", async () => {
    const at = await place(rule);
    await guessedLately(at, at.email);
    expectRequired(await enter(at, at.email, signIn));
    expect((await enter(at, at.email, signIn, solve())).status).toBe(201);
    expectRequired(await enter(at, at.email, signIn));
  });

  test('a request refused for a missing token does not count against mailbox or network', async () => {
    const at = await place(rule);
    await guessedLately(at, at.email);
    for (let i = 0; i < 3; i += 1) expectRequired(await enter(at, at.email, signIn));
    // The network has not failed yet.
    expectProblem(await enter(at, 'other@captcha.example.com', signIn), 'invalid_credentials');
  });

  test('failures of a network count for every account', async () => {
    const at = await place(rule);
    for (const email of ['a', 'b', 'c'].map((each) => `${each}@captcha.example.com`))
      expectProblem(await enter(at, email, signIn), 'invalid_credentials');
    expectRequired(await enter(at, at.email, signIn));
  });

  test('mails requested from a network count at every endpoint that sends mails', async () => {
    const at = await place(rule);
    for (let i = 0; i < 3; i += 1)
      expect((await enter(at, `new${i}@captcha.example.com`, signUp)).status).toBe(202);
    for (const door of doors.slice(1)) expectRequired(await enter(at, at.email, door));
    expect((await enter(at, at.email, signUp, solve())).status).toBe(202);
  });
});

describe('the setting', () => {
  test.each([
    [{ rule: 'after_failures' }, 'failures'],
    [{ failures: 3 }, 'failures'],
    [{ hostnames: [] }, 'hostnames'],
    [{ hostnames: ['https://www.example.com'] }, 'hostnames'],
    [{ hostnames: ['192.0.2.1'] }, 'hostnames'],
    [{ verify_url: 'http://www.example.com/' }, 'verify_url'],
    [{ site_key: 'a b' }, 'site_key'],
    [{ secret_key: 'never here' }, 'captcha'],
  ])('is refused with %o', async (wrong, where) => {
    const { project_id } = await signInProject(world);
    const given = { ...setting(), ...wrong };
    const update = world.operate({ action: 'update', project_id, captcha: given });
    await expect(update).rejects.toThrow(where);
  });

  test('accepts host names, including internationalised ones', async () => {
    const { project_id } = await signInProject(world);
    const hostnames = ['localhost', 'www.example.com', 'xn--e1afmkfd.xn--p1ai'];
    const given = setting({ hostnames });
    const after = await world.operate({ action: 'update', project_id, captcha: given });
    expect(after).toMatchObject({ captcha: { hostnames } });
  });
});
