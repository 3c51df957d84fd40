import { expect, test } from 'vitest';
import { type SignIn, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();

const path = '/passwords/forgotten';
const forgot = ({ post }: SignIn, email: string) => post(path, { email });

test("202 mails the user a link to the project's page, with the token in the fragment", async () => {
  const mail_links = { reset_password: 'https://app.example.com/reset?lang=en' };
  const at = await signInProject(world, { mail_links, mail_sender: 'hello@acme.example.com' });
  await at.signUp('ada@example.com');
  const { status, headers, body } = await forgot(at, 'ADA@example.com');
  expect([status, body]).toEqual([202, { expires_in: 3_600 }]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(await at.mailTo('ADA@example.com')).toMatchObject({
    from: '"Test" <hello@acme.example.com>',
    to: 'ADA@example.com',
    subject: 'Set a new password for Test',
    text: expect.stringMatching(
      /^https:\/\/app\.example\.com\/reset\?lang=en&project_id=[\w-]+#token=[\w-]{43}$/m,
    ),
  });
});

test('202 the link leads to the project, whatever host the headers name', async () => {
  const at = await signInProject(world);
  const { project_id } = at;
  const email = 'poisoned@example.com';
  await world.user({ email, project: at.project });
  const headers = {
    'x-forwarded-host': 'evil.example.org',
    forwarded: 'host=evil.example.org',
    origin: 'https://evil.example.org',
    referer: 'https://evil.example.org/',
  };
  await world.call({ method: 'POST', path, body: { project_id, email }, headers });
  const mail = await at.mailTo(email);
  expect(mail?.text).toMatch(
    /^https:\/\/example\.invalid\/reset_password\?project_id=[\w-]+#token=[\w-]{43}$/m,
  );
  expect(JSON.stringify(mail)).not.toContain('evil');
});

test('the password and the sessions stay valid until the token is used', async () => {
  const at = await signInProject(world);
  const { bearer } = await at.signUp('untouched@example.com');
  await forgot(at, 'untouched@example.com');
  expect((await world.as(bearer).users.getMe()).status).toBe(200);
  await at.signIn('untouched@example.com');
});
