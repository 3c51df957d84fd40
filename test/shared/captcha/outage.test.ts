import { afterEach, describe, expect, test } from 'vitest';
import { expectProblem } from '../../support/expectations.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { setCaptchaKeys, startSiteverify } from '../../support/siteverify.ts';
import { startWorld } from '../../support/world.ts';

/** A failing captcha provider, at each endpoint: only counters stay in the table, and no mail is sent. */
const world = await startWorld({});
const provider = await startSiteverify();
afterEach(() => provider.answer());

const captcha = provider.setting();
const asking = await signInProject(world, { captcha });
await setCaptchaKeys([provider.keyOf(asking.project_id, captcha)]);

type Door = [path: string, body: object, admitted: number];
const challenge = 'c'.repeat(43);
const doors: Door[] = [
  ['/sessions/password', { password: goodPassword }, 401],
  ['/sign-up', {}, 202],
  ['/passwords/forgotten', {}, 202],
  ['/codes', {}, 202],
  ['/links', { challenge }, 202],
];
let people = 0;
const unknownEmail = () => `nobody${(people += 1)}@outage.example.com`;

describe.each(doors)('%s', (path, body, admitted) => {
  const enter = (at: typeof asking, email: string, captcha_token?: string) =>
    at.post<{ code: string }>(path, { email, ...body, captcha_token });
  /** The items of the table by key, without the network's counter. */
  const written = async () =>
    (await world.table.all()).filter(({ pk }) => !String(pk).startsWith('RATE#'));

  // Every other failure of the provider: captcha.test.ts.
  test('while the provider fails: 503, nothing is written, and the next attempt works', async () => {
    const email = unknownEmail();
    const before = await written();
    provider.answer((response) => response.writeHead(500).end());
    const refused = await enter(asking, email, provider.solve());
    expectProblem(refused, 'temporarily_unavailable');
    expect(refused.headers.get('retry-after')).toBe('15');
    expect(await written()).toEqual(before);
    await world.drainStream();
    expect(world.mails().filter(({ to }) => to === email)).toEqual([]);
    provider.answer();
    expect((await enter(asking, email, provider.solve())).status).toBe(admitted);
  });
});
