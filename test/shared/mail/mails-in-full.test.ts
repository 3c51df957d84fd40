/** @module-tag engine */
import { describe, expect, test } from 'vitest';
import { renderMail } from '#shared/mail/render.ts';
import type { MailContent } from '#shared/mail/templates.ts';
import { aTime } from '../../support/expectations.ts';
import { newPerson, settingsOf, signInByIdentity } from '../../support/identities.ts';
import { guessedAt } from '../../support/limits.ts';
import { newAddress } from '../../support/mail-feed.ts';
import { startOpenidProvider } from '../../support/openid-provider.ts';
import { goodPassword, type SignIn, signInProject } from '../../support/sign-in.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

// The mail and recipient of each event: over HTTP and the stream, as the mail service receives it.
const world = await startWorld();
/** A separate project, because mails are rate limited per project. */
const fresh = (settings: object = {}) => signInProject(world, settings);

/** Requests a mail to a new address. */
const asking =
  (path: string) =>
  async (ours: SignIn): Promise<string> => {
    const email = newAddress();
    await ours.post(path, { email });
    return email;
  };
const signUp = asking('/sign-up');

const google = await startOpenidProvider();
describe('the mail about', () => {
  const page = (path: string) => `https://app.acme.com/${path}`;
  const settings = {
    identity_providers: { google: settingsOf(google) },
    impersonation: 'notify',
    mail_sender: 'hello@acme.com',
    mail_sender_name: 'Grüße von Acme',
    mail_links: {
      sign_up: page('welcome?from=mail'),
      reset_password: page('reset'),
      verify_email: page('verify'),
      change_email: page('change'),
      sign_in_link: page('link'),
    },
  };
  const from = '=?UTF-8?B?R3LDvMOfZSB2b24gQWNtZQ==?= <hello@acme.com>';
  /** The service appends the project's id to a link that ends in a parameter without a value. */
  const linked =
    (template: string, to: string, hours: number) =>
    (secret: string, { project_id }: SignIn) => {
      const at = to.endsWith('=') ? `${to}${project_id}` : to;
      const link = `${at}#token=${secret}`;
      return { template, product, minutes: hours * 60, link } as MailContent;
    };
  const product = 'Grüße von Acme';
  const coded = (code: string): MailContent => ({
    ...{ template: 'sign_in_code', product, code, minutes: 10 },
  });
  const notice =
    (template: string, more: () => object = () => ({})) =>
    (): MailContent =>
      ({ template, product, ...more() }) as MailContent;

  /** Each action, and the mail that it causes with its recipient; token and code are taken from the mail. */
  const cases: [
    string,
    (ours: SignIn) => Promise<string>,
    (secret: string, ours: SignIn) => MailContent,
  ][] = [
    [
      'the sign-up of a new user',
      signUp,
      linked('sign_up', `${page('welcome?from=mail')}&project_id=`, 24),
    ],
    [
      'the sign-up of a user who has an account',
      async (ours) => {
        const { email } = await ours.signUp(newAddress());
        await ours.post('/sign-up', { email });
        return email;
      },
      linked('account_exists', `${page('reset')}?project_id=`, 1),
    ],
    [
      'the sign-up of a user without a password, who sets a first one',
      async (ours) => {
        const { email } = await ours.signInByCode(newAddress());
        await ours.post('/sign-up', { email });
        return email;
      },
      linked('account_exists', `${page('reset')}?project_id=`, 1),
    ],
    [
      'a forgotten password',
      async (ours) => {
        const { email } = await ours.signUp(newAddress());
        await ours.post('/passwords/forgotten', { email });
        return email;
      },
      linked('reset_password', `${page('reset')}?project_id=`, 1),
    ],
    ['a code for a new user', asking('/codes'), coded],
    [
      'a sign-in link for a new user',
      async (ours) => {
        const email = newAddress();
        await ours.link(email);
        return email;
      },
      linked('sign_in_link', `${page('link')}?project_id=`, 0.25),
    ],
    [
      'an e-mail to verify',
      async (ours) => {
        const { bearer, email } = await world.user({ project: ours.project });
        await world.as(bearer).emails.verify();
        return email;
      },
      linked('verify_email', page('verify'), 24),
    ],
    [
      'a new e-mail to confirm',
      async (ours) => {
        const { bearer } = await world.user({ project: ours.project });
        const email = newAddress();
        await world.as(bearer).emails.change({ email });
        return email;
      },
      linked('change_email', page('change'), 1),
    ],
    [
      'a changed e-mail, to the old one',
      async (ours) => {
        const { bearer, email } = await ours.newUser();
        const { emails } = world.as(bearer);
        await emails.change({ email: 'newcomer@moved.com' });
        await emails.confirm({ token: await ours.mailed('newcomer@moved.com') });
        return email;
      },
      notice('email_changed', () => ({ new_email: 'newcomer@moved.com' })),
    ],
    [
      'a linked account at a provider',
      async (ours) => {
        const { email } = await ours.newUser();
        await signInByIdentity(ours, google.signed(newPerson({ email })));
        return email;
      },
      notice('identity_linked', () => ({ provider: 'google' })),
    ],
    [
      'an unlinked account at a provider',
      async (ours) => {
        const { bearer, email } = await ours.newUser();
        const { identities } = world.as(bearer);
        await identities.link({ provider: 'google', id_token: google.signed(newPerson()) });
        // The mail about the link is sent first, so that the newest mail is the one about its removal.
        await world.drainStream();
        await identities.unlink({ provider: 'google' });
        return email;
      },
      notice('identity_unlinked', () => ({ provider: 'google' })),
    ],
    [
      'a changed password',
      async (ours) => {
        const { bearer, email } = await ours.signUp(newAddress());
        const new_password = 'another horse battery staple';
        await world.as(bearer).passwords.change({ current_password: goodPassword, new_password });
        return email;
      },
      notice('password_changed'),
    ],
    [
      'a password locked after too many guesses',
      async (ours) => {
        const { email } = await ours.signUp(newAddress());
        await guessedAt(world, { project_id: ours.project_id, email });
        await ours.post('/sessions/password', { email, password: 'wrong' });
        return email;
      },
      notice('password_locked'),
    ],
    [
      'a sign-in from a new device',
      async (ours) => {
        const { email } = await ours.signUp(newAddress());
        const body = { project_id: ours.project_id, email, password: goodPassword };
        await world.as().passwords.signIn(body, { headers: { 'user-agent': 'curl/8.5.0' } });
        return email;
      },
      notice('new_device', () => ({
        user_agent: 'curl/8.5.0',
        network: '127.0.0.0/24',
        at: new Date(),
      })),
    ],
    [
      'an actor who impersonates the user',
      async (ours) => {
        const { email, uid } = await ours.signUp(newAddress());
        const actor = { id: 'grace', reason: 'Ticket 4711' };
        await world.as(ours.project).sessions.create({ uid, actor });
        return email;
      },
      notice('impersonated', () => ({ reason: 'Ticket 4711', at: new Date() })),
    ],
  ];

  test.each(cases)('%s', async (_, act, letter) => {
    // Mails contain the minute, so the clock stands still.
    pass(0);
    const ours = await fresh(settings);
    const to = await act(ours);
    const mail = await ours.mailTo(to);
    const [, token, code] = /#token=([\w-]{43}\S*)|^(\d{6})$/m.exec(mail?.text ?? '') ?? [];
    const secret = token ?? code ?? '';
    expect(mail).toEqual({
      message_id: expect.any(String),
      received_at: aTime(),
      from,
      to,
      ...(await renderMail(letter(secret, ours), 'en')),
    });
  });

  test("a sign-up has the project's name and the deployment's sender by default", async () => {
    const ours = await fresh();
    const email = await signUp(ours);
    const mail = await ours.mailTo(email);
    expect(mail?.from).toBe('"Test" <no-reply@example.com>');
    expect(mail?.text).toMatch(
      /^https:\/\/example\.invalid\/sign_up\?project_id=[\w-]+#token=[\w-]{43}$/m,
    );
  });

  test("a sign-up has the project's name if it has a sender without a name", async () => {
    const ours = await fresh({ mail_sender: 'post@acme.com', name: 'Acme "Ltd" <x>' });
    const email = await signUp(ours);
    expect((await ours.mailTo(email))?.from).toBe('"Acme  Ltd   x" <post@acme.com>');
  });

  test('two sign-ups in two projects with one address comes from each project', async () => {
    const email = newAddress();
    const one = await fresh({ mail_sender: 'one@acme.com' });
    const two = await fresh({ mail_sender: 'two@acme.com' });
    await one.post('/sign-up', { email });
    await two.post('/sign-up', { email });
    await world.drainStream();
    const senders = world
      .mails()
      .filter(({ to }) => to === email)
      .map((mail) => mail.from);
    expect(senders.sort()).toEqual(['"Test" <one@acme.com>', '"Test" <two@acme.com>']);
  });
});
