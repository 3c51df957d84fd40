import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderMail } from '#shared/mail/render.ts';
import { loadMailTexts, type MailContent } from '#shared/mail/templates.ts';
import { languages } from '#shared/model/languages.ts';

const en = await loadMailTexts('en');
const render = (letter: MailContent) => renderMail(letter, 'en');

const link = 'https://app.acme.test/in?a=1&b=2#token=3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk';
const acme = { product: 'Acme' };
const linked = { ...acme, link, minutes: 60 };

const moment = new Date('2026-03-01T09:05:59Z');
const time = '1 March 2026 at 09:05 UTC';
const from = new Date('2026-03-01T23:59:59Z');
const day = '1 March 2026';
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';
const network = '203.\u200c0.\u200c113.\u200c0/\u200c24';

/** Each mail, and what stands for the placeholders of its texts, in English. */
const mails: [MailContent, words: Record<string, string>][] = [
  [{ template: 'sign_up', ...linked, minutes: 1440 }, { valid: '24 hours' }],
  [{ template: 'account_exists', ...linked }, { valid: '1 hour' }],
  [{ template: 'reset_password', ...linked, minutes: 90 }, { valid: '90 minutes' }],
  [{ template: 'sign_in_code', ...acme, code: '048213', minutes: 10 }, { valid: '10 minutes' }],
  [{ template: 'sign_in_link', ...linked, minutes: 15 }, { valid: '15 minutes' }],
  [{ template: 'verify_email', ...linked, minutes: 1 }, { valid: '1 minute' }],
  [{ template: 'change_email', ...linked }, { valid: '1 hour' }],
  [
    { template: 'email_changed', ...acme, new_email: 'ada.lovelace@example.com' },
    { new_email: 'a***@example.\u200ccom' },
  ],
  ...(['identity_linked', 'identity_unlinked'] as const).map((template): (typeof mails)[number] => [
    { template, ...acme, provider: 'google' },
    { provider: 'Google' },
  ]),
  ...(['passkey_added', 'passkey_removed'] as const).map((template): (typeof mails)[number] => [
    { template, ...acme, passkey: 'My "phone"' },
    { passkey: `“My 'phone'”` },
  ]),
  [
    {
      ...{ template: 'workspace_invitation', ...linked, minutes: 7 * 1440 },
      ...{ workspace: 'Engines', inviter: 'ada@example.com', message: undefined },
    },
    { valid: '7 days', workspace: '“Engines”', inviter: 'ada@\u200cexample.\u200ccom' },
  ],
  ...(['new_device', 'new_device_without_password'] as const).map(
    (template): (typeof mails)[number] => [
      { template, ...acme, user_agent: firefox, network: '203.0.113.0/24', at: moment },
      { device: 'Firefox on Windows', network, time },
    ],
  ),
  [
    { template: 'impersonated', ...acme, reason: 'Ticket 4711', at: moment },
    { reason: '“Ticket 4711”', time },
  ],
  ...[{ link }, {}].map((more): (typeof mails)[number] => [
    { template: 'second_factor_required', ...acme, workspace: 'evil.test', from, ...more },
    { workspace: '“evil.\u200ctest”', day },
  ]),
  ...(
    [
      ...(['password_changed', 'password_locked', 'factor_added', 'factor_removed'] as const),
      ...(['required_factor_removed', 'factor_locked', 'recovery_code_required'] as const),
      ...(['recovery_codes_renewed', 'recovery_code_used'] as const),
    ] as const
  ).map((template): (typeof mails)[number] => [{ template, ...acme }, {}]),
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

/** The subject and the paragraphs of a mail, from its texts. */
function expectedOf(letter: MailContent, given: Record<string, string>) {
  const { words, templates } = en;
  const { subject, heading, body, otherwise } = templates[letter.template];
  const isLimited = 'minutes' in letter;
  const texts = [
    ...[heading, body],
    ...('link' in letter ? [link, ...(isLimited ? [words.link_valid] : [])] : []),
    ...('code' in letter ? [letter.code, words.code_valid] : []),
    otherwise,
  ];
  const fill = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String({ ...acme, ...given }[name]));
  return { subject: fill(subject), paragraphs: texts.map(fill) };
}

test('there is a mail for each template', () => {
  const tested = new Set(letters.map(({ template }) => template));
  expect([...tested].toSorted()).toEqual(Object.keys(en.templates).toSorted());
});

test('a mail reads, from the beginning to the end', async () => {
  const letter = { template: 'sign_in_code', ...acme, code: '048213', minutes: 10 } as const;
  expect(await render(letter)).toMatchObject({
    subject: 'Your sign-in code for Acme',
    text: `Your sign-in code

Enter this code on the sign-in page of Acme, and nowhere else. Never share it: anyone who has it can sign in as you.

048213

The code works once, for 10 minutes.

If you did not request a code, ignore this mail: nobody can sign in without it.
`,
  });
});

describe.each(mails)('$template', async (letter, words) => {
  const mail = await render(letter);

  test('has the same words in text and in HTML', () => {
    const { subject, paragraphs } = expectedOf(letter, words);
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

  test('pads cells alone, as Outlook on Windows does, and the cell of the button like its link', () => {
    const padded = [...mail.html.matchAll(/<(\w+)[^>]*[;"](?:mso-padding-alt|padding):([^;"]*)/g)]
      .map(([, tag, padding]) => `${tag} ${padding}`)
      .filter((each) => !each.startsWith('td ') || each === 'td 14px 20px');
    const button = 'link' in letter ? ['td 14px 20px', 'a 14px 20px'] : [];
    expect(padded).toEqual(['body 0', ...button]);
  });

  test('has its font and its line breaks in Outlook too', () => {
    expect(mail.html).toMatch(
      /<!--\[if mso\]><style>td,p,h1,a\{font-family:[^}]*\}<\/style><!\[endif\]-->/,
    );
    expect(mail.html.match(/overflow-wrap:anywhere/g)).toHaveLength(2);
    expect(mail.html.match(/word-wrap:break-word;overflow-wrap:anywhere/g)).toHaveLength(2);
  });

  test('has less than 8 KB, even with a link of the maximum length', async () => {
    const long = 'link' in letter ? { ...letter, link: `${link}${'x'.repeat(1900)}` } : letter;
    const { html } = await render({ ...long, product: '<'.repeat(200) });
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
  ])('%j is written %j', async (product, written) => {
    for (const letter of letters) {
      const mail = await render({ ...letter, product });
      const plain = await render({ ...letter, product: 'Acme' });
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

  test('of any characters changes neither the lines nor the markup', async () => {
    const unit = fc.oneof(
      fc.constantFrom(...'\r\n<>"\'&.:/@{}\u202E\u2028\u0085\u200c\u200dنक\u094d👨🏿\ufe0f'),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit, maxLength: 150 }),
        fc.constantFrom(...letters),
        async (product, letter) => {
          const mail = await render({ ...letter, product });
          const plain = await render(letter);
          expect(mail.subject.replaceAll(joiners, '')).not.toMatch(/[\p{Zl}\p{Zp}\p{C}]/u);
          expect(mail.text.split('\n')).toHaveLength(plain.text.split('\n').length);
          expect(tagsOf(mail.html)).toEqual(tagsOf(plain.html));
        },
      ),
    );
  });

  test('cannot be opened as the address that it imitates', async () => {
    const { subject } = await render({ template: 'password_changed', product: 'www.evil.test' });
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
  const subjectOf = async (
    given: Partial<typeof invitation> | { workspace: string; inviter?: string },
  ) => (await render({ ...invitation, ...given })).subject;

  test.each([
    ['x” on Google: verify at “y', '“x’ on Google: verify at ’y”'.replaceAll('’', "'")],
    ['a "b" «c» „d‟ ＂e＂', `“a 'b' 'c' 'd' 'e'”`],
    ['https://evil.test', '“https:\u200c/\u200c/\u200cevil.\u200ctest”'],
    ['a\r\nBcc: eve@evil.test', '“a Bcc: eve@\u200cevil.\u200ctest”'],
    ['\u202Egnp.exe', '“gnp.\u200cexe”'],
    ['w'.repeat(128), `“${'w'.repeat(63)}…”`],
    ['{product} {link}', '“{product} {link}”'],
  ])('to the workspace %j names it as %j and stays within the quotes', async (name, written) => {
    expect(await subjectOf({ workspace: name })).toBe(
      `ada@\u200cexample.\u200ccom invited you to ${written} on Acme`,
    );
  });

  test('whose inviter has no known e-mail names no inviter', async () => {
    expect(await subjectOf({ workspace: 'Engines', inviter: '' })).toBe(
      'Somebody invited you to “Engines” on Acme',
    );
  });
});

test('a new e-mail with one character before the @ is masked like any other', async () => {
  const letter = {
    template: 'email_changed',
    product: 'Acme',
    new_email: 'a@example.com',
  } as const;
  expect((await render(letter)).text).toContain('now has a***@example.\u200ccom instead');
});

describe.each(languages)('the texts in %s', async (language) => {
  const { words, devices, templates } = await loadMailTexts(language);
  const places = (text = '') => [...new Set(text.match(/\{\w+\}/g))].toSorted();

  test('have the same placeholders as the English ones', () => {
    const shape = (texts: Record<string, string>) =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, places(text)]));
    expect(shape(words)).toEqual(shape(en.words));
    expect(shape(devices)).toEqual(shape(en.devices));
    expect(Object.keys(templates)).toEqual(Object.keys(en.templates));
    for (const [name, template] of Object.entries(templates)) {
      const english = en.templates[name as keyof typeof templates];
      expect(Object.keys(template)).toEqual(
        expect.arrayContaining(['subject', 'heading', 'body', 'otherwise']),
      );
      expect(places(template.subject), name).toEqual(places(english.subject));
      expect(places(template.body), name).toEqual(places(english.body));
      expect(places(template.preheader), name).toEqual(places(english.preheader));
    }
  });

  test.each(mails)('$template', async (letter) => {
    const { subject, text, html } = await renderMail(letter, language);
    const english = await render(letter);
    expect(`${subject}${text}${html}`).not.toMatch(/\{\w+\}|undefined/);
    expect(html).toContain(`<html lang="${language}"`);
    expect(text.split('\n')[0]).toBe(templates[letter.template].heading);
    expect(text.includes(link)).toBe('link' in letter);
    expect(text === english.text).toBe(language === 'en');
    for (const paragraph of text.trim().split('\n\n'))
      expect(paragraphsOf(html)).toContain(paragraph);
  });
});

test.each([
  [
    'de',
    'Der Link gilt 2 Tage lang und nur einmal.',
    /einem Programm auf einem iPhone, Netz .*, am 4\. März 2026 um 05:06 UTC/,
  ],
  [
    'fr',
    'Le lien ne sert qu’une fois et reste valable 2\u00a0jours.',
    /un programme sur un iPhone, réseau .*, le 4 mars 2026 à 05:06 UTC/,
  ],
  [
    'es',
    'El enlace sirve una sola vez, durante 2 días.',
    /un programa en un iPhone, red .*, el 4 de marzo de 2026 a las 5:06 UTC/,
  ],
] as const)(
  '%s has its own words for durations, devices and dates',
  async (language, valid, device) => {
    const { text } = await renderMail(
      { template: 'sign_up', ...linked, minutes: 2 * 1440 },
      language,
    );
    expect(text).toContain(valid);
    const at = new Date('2026-03-04T05:06:07Z');
    const signIn = {
      template: 'new_device',
      product: 'Acme',
      user_agent: 'x (iPhone)',
      at,
    } as const;
    const mail = await renderMail({ ...signIn, network: '192.0.2.0/24' }, language);
    expect(mail.text).toMatch(device);
  },
);

test('the first of a month is an ordinal number in French', async () => {
  const at = new Date('2026-03-01T05:06:07Z');
  const notice = { template: 'new_device', product: 'Acme', user_agent: 'x', at } as const;
  const { text } = await renderMail({ ...notice, network: '192.0.2.0/24' }, 'fr');
  expect(text).toContain('le 1er mars 2026 à 05:06 UTC');
});
