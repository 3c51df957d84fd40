import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderMail } from '#shared/mail/render.ts';
import { type MailContent, mailTexts } from '#shared/mail/templates.ts';
import { mailLanguages } from '#shared/model/mail-languages.ts';

const render = (letter: MailContent) => renderMail(letter, 'en');

const link = 'https://app.acme.test/in?a=1&b=2#token=3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk';
const linked = { product: 'Acme', link, minutes: 60 };

/** Every mail with its full subject and text, one element per paragraph. */
const mails: [MailContent, string, string[]][] = [
  [
    { template: 'sign_up', ...linked, minutes: 1440 },
    'Confirm your e-mail address for Acme',
    [
      'Confirm your e-mail address',
      'Open this link to choose a password and finish creating your account with Acme.',
      link,
      'The link works once, for 24 hours. Do not forward it.',
      'If you did not sign up, ignore this mail: there is no account until you choose a password.',
    ],
  ],
  [
    { template: 'account_exists', ...linked },
    'You already have an account with Acme',
    [
      'You already have an account',
      'Someone tried to sign up for Acme with this e-mail address, which already has an account. If that was you, sign in as before, or open this link to set a new password.',
      link,
      'The link works once, for 1 hour. Do not forward it.',
      'If you did not try to sign up, ignore this mail: your account and your password stay as they are.',
    ],
  ],
  [
    { template: 'reset_password', ...linked, minutes: 90 },
    'Set a new password for Acme',
    [
      'Set a new password',
      'Open this link to set a new password for your account with Acme.',
      link,
      'The link works once, for 90 minutes. Do not forward it.',
      'If you did not request this, ignore this mail: your password stays as it is.',
    ],
  ],
  [
    { template: 'sign_in_code', product: 'Acme', code: '048213', minutes: 10 },
    'Your sign-in code for Acme',
    [
      'Your sign-in code',
      'Enter this code on the sign-in page of Acme, and nowhere else. Never share it: anyone who has it can sign in as you.',
      '048213',
      'The code works once, for 10 minutes.',
      'If you did not request a code, ignore this mail: nobody can sign in without it.',
    ],
  ],
  [
    { template: 'sign_in_link', ...linked, minutes: 15 },
    'Your sign-in link for Acme',
    [
      'Sign in',
      'To sign in, open this link in the browser in which you asked for it. Any other shows a code: enter that on the sign-in page of Acme, and nowhere else. Never share either: anyone who has it may be able to sign in as you.',
      link,
      'The link works once, for 15 minutes. Do not forward it.',
      'If you did not request a link, ignore this mail and leave the link unopened: nobody can sign in without it.',
    ],
  ],
  [
    { template: 'verify_email', ...linked, minutes: 1 },
    'Verify your e-mail address for Acme',
    [
      'Verify your e-mail address',
      'Open this link to confirm that the e-mail address of your account with Acme is yours.',
      link,
      'The link works once, for 1 minute. Do not forward it.',
      'If you did not request this, ignore this mail and leave the link unopened: the address stays unverified.',
    ],
  ],
  [
    { template: 'change_email', ...linked },
    'Confirm your new e-mail address for Acme',
    [
      'Confirm your new e-mail address',
      'Open this link to make this the e-mail address of your account with Acme.',
      link,
      'The link works once, for 1 hour. Do not forward it.',
      'If you did not request this, ignore this mail and leave the link unopened: nothing is changed.',
    ],
  ],
  [
    { template: 'email_changed', product: 'Acme', new_email: 'ada.lovelace@example.com' },
    'Your e-mail address for Acme was changed',
    [
      'Your e-mail address was changed',
      'The account with Acme that had this e-mail address now has a***@example.\u200ccom instead.',
      'If this was not you, someone else may be using your account: contact the support of Acme at once.',
    ],
  ],
  [
    { template: 'identity_linked', product: 'Acme', provider: 'google' },
    'New way to sign in to Acme',
    [
      'An account was linked',
      'You can now sign in to Acme with your google account.',
      'If this was not you, someone else may be using your account: unlink it, and contact the support of Acme at once.',
    ],
  ],
  [
    { template: 'identity_unlinked', product: 'Acme', provider: 'google' },
    'A way to sign in to Acme was removed',
    [
      'An account was unlinked',
      'You can no longer sign in to Acme with your google account.',
      'If this was not you, someone else may be using your account: contact the support of Acme at once.',
    ],
  ],
  [
    {
      template: 'workspace_invitation',
      ...linked,
      minutes: 7 * 1440,
      workspace: 'Engines',
      inviter: 'ada@example.com',
      message: undefined,
    },
    'ada@\u200cexample.\u200ccom invited you to “Engines” on Acme',
    [
      'You are invited',
      'ada@\u200cexample.\u200ccom invited you to join the workspace “Engines” on Acme. Open this link to see the invitation.',
      link,
      'The link works once, for 7 days. Do not forward it.',
      'If you do not know who invites you, ignore this mail: you join nothing until you accept.',
    ],
  ],
  [
    { template: 'password_changed', product: 'Acme' },
    'Your password for Acme was changed',
    [
      'Your password was changed',
      'The password of your account with Acme was changed just now.',
      'If this was not you, someone else may be using your account: set a new password at once, with “forgotten password” on the sign-in page.',
    ],
  ],
  [
    { template: 'password_locked', product: 'Acme' },
    'Your password for Acme was locked',
    [
      'Your password was locked',
      'Someone has entered a wrong password for your account with Acme too many times in a row, so passwords are refused until you set a new one with “forgotten password” on the sign-in page. Every other way to sign in still works.',
      'If this was not you, someone may be guessing your password: choose a new one that you use nowhere else.',
    ],
  ],
  [
    { template: 'factor_locked', product: 'Acme' },
    'Too many wrong codes for Acme',
    [
      'Too many wrong codes',
      'Someone has entered too many wrong codes for your account with Acme, so none is accepted for a quarter of an hour. After many more in a row, only a recovery code is.',
      'If this was not you, someone knows your password, reads your mail or uses one of your devices. Set a new password at once, with “forgotten password” on the sign-in page: that ends every session. If you have no password, secure your mailbox and end your sessions in your account.',
    ],
  ],
  [
    {
      template: 'new_device',
      product: 'Acme',
      user_agent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
      network: '203.0.113.0/24',
      at: new Date('2026-03-01T09:05:59Z'),
    },
    'New sign-in to Acme',
    [
      'A new device signed in',
      'There was a sign-in to your account with Acme from Firefox on Windows, network 203.\u200c0.\u200c113.\u200c0/\u200c24, on 1 March 2026 at 09:05 UTC. It is the first one from this device or place.',
      'If this was you, there is nothing to do. If it was not, set a new password at once, with “forgotten password” on the sign-in page: that ends every session.',
    ],
  ],
  [
    {
      template: 'impersonated',
      product: 'Acme',
      reason: 'Ticket 4711',
      at: new Date('2026-03-01T09:05:59Z'),
    },
    'The team of Acme used your account',
    [
      'Somebody of the team used your account',
      'On 1 March 2026 at 09:05 UTC, somebody of the team of Acme began to work in your account. The reason given: “Ticket 4711”. This ends after an hour at most. Your password, your e-mail address and your other ways to sign in cannot be changed meanwhile.',
      'If you did not ask for help and do not know the reason, contact the support of Acme. You can end it in your account, where your sessions are listed.',
    ],
  ],
  [
    {
      template: 'second_factor_required',
      product: 'Acme',
      workspace: 'Engines',
      from: new Date('2026-03-01T23:59:59Z'),
      link,
    },
    'A second factor for “Engines” on Acme',
    [
      'Add a second factor',
      'From 1 March 2026 on, members of the workspace “Engines” on Acme need a second factor, such as an authenticator app or a passkey. You have none yet. Add one in your account, then sign in again.',
      link,
      'Without one you have no access to this workspace from then on. Your account and your other workspaces stay as they are.',
    ],
  ],
  [
    {
      template: 'second_factor_required',
      product: 'Acme',
      workspace: 'evil.test',
      from: new Date('2026-03-01T00:00:00Z'),
    },
    'A second factor for “evil.\u200ctest” on Acme',
    [
      'Add a second factor',
      'From 1 March 2026 on, members of the workspace “evil.\u200ctest” on Acme need a second factor, such as an authenticator app or a passkey. You have none yet. Add one in your account, then sign in again.',
      'Without one you have no access to this workspace from then on. Your account and your other workspaces stay as they are.',
    ],
  ],
];
const letters = mails.map(([letter]) => letter);

const tagsOf = (html: string) => html.match(/<[^>]*>/g);
/** The visible text: the paragraphs of the body, with entities decoded. */
const paragraphsOf = (html: string) =>
  html
    .slice(html.indexOf('<body'))
    .split(/<[^>]*>/)
    .map((part) => part.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))))
    .filter((part) => part.trim() !== '');

describe.each(mails)('$template', (letter, subject, paragraphs) => {
  const mail = render(letter);

  test('has the same words in text and in HTML', () => {
    expect(mail.subject).toBe(subject);
    expect(mail.text).toBe(`${paragraphs.join('\n\n')}\n`);
    expect(paragraphsOf(mail.html)).toEqual(expect.arrayContaining(paragraphs));
    expect(mail.html).toContain(`<title>${subject}</title>`);
  });

  test('has its own link on the button, and no other address, resource or script', () => {
    const expected = 'link' in letter ? [link.replaceAll('&', '&#38;')] : [];
    expect([...mail.html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(expected);
    expect(mail.html.match(/https?:[^\s"<]*/g) ?? []).toEqual([...expected, ...expected]);
    expect(mail.html).not.toMatch(/<(?:img|link|script|iframe|form|base)|src=|url\(|@import|http-/);
  });

  test('keeps secrets out of its subject and preview', () => {
    const [preheader] = paragraphsOf(mail.html);
    expect(`${mail.subject} ${preheader}`).not.toMatch(/token|\d{6}|\{/);
  });

  test('has less than 8 KB, even with a link of the maximum length', () => {
    const long = 'link' in letter ? { ...letter, link: `${link}${'x'.repeat(1900)}` } : letter;
    const { html } = render({ ...long, product: '<'.repeat(200) });
    expect(Buffer.byteLength(html)).toBeLessThan(8 * 1024);
  });
});

describe('a hostile product name', () => {
  test.each([
    ['<script>alert(1)</script>', '<script>alert(1)</\u200cscript>'],
    [`"Tom" & 'Ann'`, `"Tom" & 'Ann'`],
    ['Acme\r\nBcc: eve@evil.test', 'Acme Bcc: eve@\u200cevil.\u200ctest'],
    ['Acme\n\n\nhttps://evil.test/x', 'Acme https:\u200c/\u200c/\u200cevil.\u200ctest/\u200cx'],
    ['Booking.com', 'Booking.\u200ccom'],
    ['evil。test evil．test', 'evil。\u200ctest evil．\u200ctest'],
    ['safe\u202Etset.live\u2066\u200F', 'safetset.\u200clive'],
    ['  A\u200B\u2060\u00ADc\uFEFFme\u2028Inc. ', 'Acme Inc.'],
    ['{valid} {link} $& $1', '{valid} {link} $& $1'],
    ['x'.repeat(128), `${'x'.repeat(63)}…`],
    ['😀'.repeat(64), '😀'.repeat(64)],
    ['\u202E\uD800\u0000', 'this service'],
  ])('%j is written %j', (product, written) => {
    for (const letter of letters) {
      const mail = render({ ...letter, product });
      const plain = render({ ...letter, product: 'Acme' });
      const renamed = (text: string) => text.replaceAll('Acme', () => written);
      expect(mail.subject).toBe(renamed(plain.subject));
      expect(mail.text).toBe(renamed(plain.text));
      expect(tagsOf(mail.html)).toEqual(tagsOf(plain.html));
      expect(paragraphsOf(mail.html)).toEqual(paragraphsOf(plain.html).map(renamed));
    }
  });

  /** In what could be an address, between letters, and between emoji. */
  const joiners =
    /(?<=[.․。．｡:/\\@]|\p{L}\p{M}*(?=\u200c\p{L}))\u200c|(?<=\p{ExtPict}[\ufe0f\p{EMod}]?)\u200d(?=\p{ExtPict})/gu;

  test('of any characters changes neither the lines nor the markup', () => {
    const unit = fc.oneof(
      fc.constantFrom(...'\r\n<>"\'&.:/@{}\u202E\u2028\u0085\u200c\u200dنक\u094d👨🏿\ufe0f'),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    );
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 150 }),
        fc.constantFrom(...letters),
        (product, letter) => {
          const mail = render({ ...letter, product });
          const plain = render(letter);
          expect(mail.subject.replaceAll(joiners, '')).not.toMatch(/[\p{Zl}\p{Zp}\p{C}]/u);
          expect(mail.text.split('\n')).toHaveLength(plain.text.split('\n').length);
          expect(tagsOf(mail.html)).toEqual(tagsOf(plain.html));
        },
      ),
    );
  });

  test('cannot be opened as the address that it imitates', () => {
    const { subject } = render({ template: 'password_changed', product: 'www.evil.test' });
    expect(URL.canParse(`https://${subject.split(' ')[3]}`)).toBe(false);
  });
});

describe('an invitation', () => {
  const invitation = {
    template: 'workspace_invitation',
    ...linked,
    workspace: 'Engines',
    inviter: 'ada@example.com',
    message: undefined,
  } as const;
  const subjectOf = (given: Partial<typeof invitation> | { workspace: string; inviter?: string }) =>
    render({ ...invitation, ...given }).subject;

  test.each([
    ['x” on Google: verify at “y', '“x’ on Google: verify at ’y”'.replaceAll('’', "'")],
    ['a "b" «c» „d‟ ＂e＂', `“a 'b' 'c' 'd' 'e'”`],
    ['https://evil.test', '“https:\u200c/\u200c/\u200cevil.\u200ctest”'],
    ['a\r\nBcc: eve@evil.test', '“a Bcc: eve@\u200cevil.\u200ctest”'],
    ['\u202Egnp.exe', '“gnp.\u200cexe”'],
    ['w'.repeat(128), `“${'w'.repeat(63)}…”`],
    ['{product} {link}', '“{product} {link}”'],
  ])('to the workspace %j names it as %j and stays within the quotes', (name, written) => {
    expect(subjectOf({ workspace: name })).toBe(
      `ada@\u200cexample.\u200ccom invited you to ${written} on Acme`,
    );
  });

  test('whose inviter has no known e-mail names no inviter', () => {
    expect(subjectOf({ workspace: 'Engines', inviter: '' })).toBe(
      'Somebody invited you to “Engines” on Acme',
    );
  });
});

test('a new e-mail with one character before the @ is masked like any other', () => {
  const letter = {
    template: 'email_changed',
    product: 'Acme',
    new_email: 'a@example.com',
  } as const;
  expect(render(letter).text).toContain('now has a***@example.\u200ccom instead');
});

describe.each(mailLanguages)('the texts in %s', (language) => {
  const { words, devices, templates } = mailTexts[language];
  const places = (text = '') => [...new Set(text.match(/\{\w+\}/g))].toSorted();

  test('have the same placeholders as the English ones', () => {
    const { en } = mailTexts;
    const shape = (texts: Record<string, string>) =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, places(text)]));
    expect(shape(words)).toEqual(shape(en.words));
    expect(shape(devices)).toEqual(shape(en.devices));
    for (const [name, template] of Object.entries(templates)) {
      const english = en.templates[name as keyof typeof templates];
      expect(Object.keys(template)).toEqual(expect.arrayContaining(['subject', 'otherwise']));
      expect(places(template.subject), name).toEqual(places(english.subject));
      expect(places(template.body), name).toEqual(places(english.body));
      expect(places(template.preheader), name).toEqual(places(english.preheader));
    }
  });

  test.each(mails)('$template', (letter) => {
    const { subject, text, html } = renderMail(letter, language);
    const english = render(letter);
    expect(`${subject}${text}${html}`).not.toMatch(/\{\w+\}|undefined/);
    expect(html).toContain(`<html lang="${language}"`);
    expect(text.includes(link)).toBe('link' in letter);
    expect(text === english.text).toBe(language === 'en');
    for (const paragraph of text.trim().split('\n\n'))
      expect(paragraphsOf(html)).toContain(paragraph);
  });
});

test('German has its own words for durations, devices and dates', () => {
  const { text } = renderMail({ template: 'sign_up', ...linked, minutes: 2 * 1440 }, 'de');
  expect(text).toContain('Der Link gilt 2 Tage lang und nur einmal.');
  const at = new Date('2026-03-04T05:06:07Z');
  const signIn = { template: 'new_device', product: 'Acme', user_agent: 'x (iPhone)', at } as const;
  expect(renderMail({ ...signIn, network: '192.0.2.0/24' }, 'de').text).toMatch(
    /einem Programm auf einem iPhone, Netz .*, am 4\. März 2026 um 05:06 UTC/,
  );
});
