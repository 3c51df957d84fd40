import { expect, test } from 'vitest';
import { currentRequest } from '#shared/db/request-context.ts';
import { newMail } from '#shared/mail/mails.ts';
import { loadMailTexts } from '#shared/mail/templates.ts';
import { newAddress } from '../../support/mail-feed.ts';
import { request } from '../../support/request.ts';
import { goodPassword, signInProject } from '../../support/sign-in.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const inGerman = { 'accept-language': 'de-CH, en;q=0.5' };

async function place(settings: object = {}) {
  const ours = await signInProject(world, settings);
  const { project_id, project } = ours;
  const owner = await world.user({ project });
  const { workspace_id } = await world.workspace({ owner });
  const signUp = async (headers?: Record<string, string>) => {
    const email = newAddress();
    const body = { project_id, email };
    await world.call('POST', '/sign-up', undefined, body, headers && { headers });
    return (await ours.mailTo(email))?.subject;
  };
  const invite = async (auth: string) => {
    const email = newAddress();
    await world.call({
      ...{ method: 'POST', path: `/workspaces/${workspace_id}/invitations` },
      ...{ auth, headers: inGerman, body: { email, role: 'member' } },
    });
    return (await ours.mailTo(email))?.subject;
  };
  return { project, owner, signUp, invite };
}

test('a mail that the user requests is in the language of their browser, if there are texts in it', async () => {
  const { signUp } = await place();
  expect(await signUp(inGerman)).toMatch(/^Bestätigen Sie Ihre E-Mail-Adresse/);
  expect(await signUp({ 'accept-language': 'it' })).toMatch(/^Confirm your e-mail/);
  expect(await signUp()).toMatch(/^Confirm your e-mail/);
});

test('otherwise it is in the language of the project', async () => {
  const { signUp } = await place({ mail_language: 'de' });
  expect(await signUp({ 'accept-language': 'en-GB' })).toMatch(/^Confirm your e-mail/);
  expect(await signUp({ 'accept-language': 'it' })).toMatch(/^Bestätigen Sie/);
});

test("an invitation is in the language of the project, whatever the inviter's is", async () => {
  for (const [settings, subject] of [
    [{}, / invited you to /],
    [{ mail_language: 'de' }, / lädt Sie zu /],
  ] as const) {
    const { project, owner, invite } = await place(settings);
    expect(await invite(owner.bearer)).toMatch(subject);
    expect(await invite(project.basic)).toMatch(subject);
  }
});

test("a notice is never in the language of its request, which may be an attacker's", async () => {
  for (const [settings, subject] of [
    [{}, 'New sign-in to Test'],
    [{ mail_language: 'de' }, 'Neue Anmeldung bei Test'],
  ] as const) {
    const ours = await signInProject(world, settings);
    const { email } = await ours.signUp(newAddress());
    const headers = { ...inGerman, 'user-agent': 'curl/8.5.0' };
    const body = { project_id: ours.project_id, email, password: goodPassword };
    await world.as().passwords.signIn(body, { headers });
    expect((await ours.mailTo(email))?.subject).toBe(subject);
  }
});

/** The kinds of mails that their recipient requests. */
const asked = new Set<string>([
  ...['sign_up', 'reset_password', 'verify_email', 'change_email'],
  ...['sign_in_code', 'sign_in_link'],
]);

test.each(Object.keys((await loadMailTexts('en')).templates))(
  '%s: in the language of its request only if its recipient requests it',
  async (kind) => {
    const mail = await request(async () => {
      currentRequest().acceptLanguage = 'de';
      // Only `noticeTo` creates notices, from the same parts.
      return newMail(kind as 'sign_up', { project_id: 'demo', to: 'ada@example.com' }, new Date());
    });
    expect(mail.language).toBe(asked.has(kind) ? 'de' : undefined);
  },
);
