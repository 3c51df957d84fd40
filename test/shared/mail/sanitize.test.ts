import { describe, expect, test } from 'vitest';
import { renderMail } from '#shared/mail/render.ts';
import * as sanitize from '#shared/mail/sanitize.ts';

const { duration, neutralise } = sanitize;
const inQuotes = (name: string) => sanitize.inQuotes(name, '“{text}”');
const neutraliseLines = (text: string) => sanitize.neutraliseLines(text, '“{text}”');

const invitation = {
  template: 'workspace_invitation',
  product: 'Acme',
  link: 'https://app.acme.test/in#token=1',
  minutes: 1_667,
  workspace: 'Engines',
  inviter: 'ada@example.com',
  message: undefined,
} as const;

describe('the message of an invitation', () => {
  test.each([
    ['Hi Bob', '“Hi Bob”'],
    ['Hi”\n\nAcme has paid you: “call 0800', "“Hi' Acme has paid you: 'call 0800”"],
    ['a "b" «c» „d‟ ＂e＂ 〝f〞', `“a 'b' 'c' 'd' 'e' 'f'”`],
    ['a ʺ ˝ ˮ ″ ‶ ❝ ❞ ❠ 〃 \u{1f676} \u{1f677} \u{1f678}', `“a${" '".repeat(12)}”`],
    ['מו״ל', '“מו״ל”'],
    ['א״ ״ב a״b א״a מ\u05b8״ל', `“א' 'ב a'b א'a מ\u05b8״ל”`],
    ['see evil.test', '“see evil.\u200ctest”'],
  ])('%j is written %j and stays within the quotes', async (message, written) => {
    expect(neutraliseLines(message)).toBe(written);
    const { text } = await renderMail({ ...invitation, message }, 'en');
    expect(text).toContain(`\n\n${written}\n\n`);
    // The quotation marks around the workspace's name, and around the message.
    expect(text.match(/[“”]/g)).toEqual(['“', '”', '“', '”']);
  });

  test('and a name stand in the quotation marks of the language', async () => {
    const quoting = { ...invitation, workspace: 'x“ y”', message: 'a „b“ c' };
    expect((await renderMail(quoting, 'de')).text).toMatch(/„x' y'“ bei Acme[^]*\n„a 'b' c“\n/);
    expect((await renderMail(quoting, 'fr')).text).toMatch(
      /«\u00a0x' y'\u00a0» sur Acme[^]*\n«\u00a0a 'b' c\u00a0»\n/,
    );
    expect((await renderMail(quoting, 'es')).text).toMatch(/«x' y'» en Acme[^]*\n«a 'b' c»\n/);
    expect((await renderMail(quoting, 'en')).text).toMatch(/“x' y'” on Acme[^]*\n“a 'b' c”\n/);
  });

  test('has its own direction, set by its first letter', async () => {
    const { html } = await renderMail({ ...invitation, message: 'انضم إلينا' }, 'en');
    const [, direction, style] = /<p class="soft" dir="(\w+)" style="([^"]*)">“ا/.exec(html) ?? [];
    expect([direction, style]).toEqual(['auto', expect.stringMatching(/;text-align:start$/)]);
  });
});

/** With the invisible characters in words. */
const seen = (text: string) => text.replaceAll('\u200c', '<nj>').replaceAll('\u200d', '<j>');

describe('an invisible character', () => {
  test.each([
    ['می\u200cخواهم نرم\u200cافزار', 'Persian'],
    ['کَ\u200cم', 'a letter with a mark'],
    ['क\u094d\u200cष', 'Hindi'],
    ['👨\u200d👩\u200d👧\u200d👦', 'a family'],
    ['🏳\ufe0f\u200d🌈', 'a flag'],
    ['👩🏻\u200d❤\ufe0f\u200d💋\u200d👨🏿', 'a couple of two skin tones'],
  ])('%j stays, because %s is spelt with it', (text) => {
    expect(neutralise(text)).toBe(text);
    expect([inQuotes(text), neutraliseLines(text)]).toEqual([`“${text}”`, `“${text}”`]);
  });

  test.each([
    ['Ac\u3164me\u2800 \uffa0', 'Ac me'],
    ['pay\u200cpal п\u200cа α\u200cβ', 'paypal па αβ'],
    ['a\u200db ن\u200dن क\u094d\u200dष', 'ab نن क\u094dष'],
    ['ن\u200c\u200cن ن\u200c\u200bن ن\u202e\u200cن', 'نن نن نن'],
    ['\u200cن\u200c ن\u200c5 ن\u200c.ن', 'ن ن5 ن.<nj>ن'],
    ['👨\u200dx x\u200d👨 👨\u200d\u200d👩 👨\u200d', '👨x x👨 👨👩 👨'],
    ['👨\u200d'.repeat(5), '👨<j>👨<j>👨<j>👨👨'],
    [`${'ن'.repeat(62)}\u200cنن`, `${'ن'.repeat(62)}…`],
    [`${'ن'.repeat(62)}👨\u200d👩`, `${'ن'.repeat(62)}👨…`],
    ['ن\u200c″', "ن'"],
  ])('in %j is removed', (text, written) => {
    expect(seen(inQuotes(text))).toBe(`“${written}”`);
    if (!written.endsWith('…')) expect(seen(neutraliseLines(text))).toBe(`“${written}”`);
  });

  test('does not make a host openable', () => {
    for (const host of [
      'ن\u200cن.ن\u200cن',
      'ev\u200cil.test',
      'evil\u200c.\u200ctest',
      '👨\u200d👩.ws',
    ])
      expect(URL.canParse(`https://${neutralise(host)}`)).toBe(false);
  });
});

describe('marks on a letter', () => {
  test.each([
    ['မျှော်လင့်ချက်', 'Burmese'],
    ['ผู้ใหญ่ น้ำ', 'Thai'],
    ['བསྒྲུབས་ ཧཱུྃ', 'Tibetan'],
    ['Nguyễn Thị Thuỷ', 'Vietnamese'],
    ['שָּׁ֣לוֹם', 'Hebrew with points and accents'],
    ['اللَّٰهِ مُحَمَّدٌ', 'Arabic with harakat'],
    ['ಜೋಂಗ್\u200cಖಾ', 'Kannada'],
    ['ज़िन्दगी मोज़ांबिक', 'Hindi'],
    ['ᾧ', 'Greek'],
  ])('stay as they are in %s: %s', (word) => {
    for (const text of [word.normalize('NFC'), word.normalize('NFD')]) {
      expect(neutralise(text)).toBe(text);
      expect(neutraliseLines(text)).toBe(`“${text}”`);
    }
  });

  test('are limited to six', () => {
    const stack = (count: number) => `Z${'\u0353\u0311'.repeat(count / 2)}algo`;
    expect(neutralise(stack(60))).toBe(stack(6));
    expect(neutraliseLines(`${stack(8)} ${stack(6)}`)).toBe(`“${stack(6)} ${stack(6)}”`);
    expect(neutralise(stack(60).replaceAll('\u0353', '\u0353\u200b'))).toBe(stack(6));
  });
});

describe('a duration', () => {
  test.each([
    [1, '1 minute', '1 Minute'],
    [15, '15 minutes', '15 Minuten'],
    [60, '1 hour', '1 Stunde'],
    [90, '90 minutes', '90 Minuten'],
    [119, '119 minutes', '119 Minuten'],
    [120, '2 hours', '2 Stunden'],
    [179, '2 hours', '2 Stunden'],
    [1_440, '24 hours', '24 Stunden'],
    [1_667, '27 hours', '27 Stunden'],
    [2_879, '47 hours', '47 Stunden'],
    [2_880, '2 days', '2 Tage'],
    [4_319, '2 days', '2 Tage'],
    [10_080, '7 days', '7 Tage'],
  ])('of %i minutes is %s, rounded down', (minutes, english, german) => {
    expect([duration(minutes, 'en'), duration(minutes, 'de')]).toEqual([english, german]);
  });

  test('is the same in the mail and in its preview', async () => {
    for (const [language, said] of [
      ['en', /valid for 27 hours\.[^]*works once, for 27 hours\./],
      ['de', /gilt 27 Stunden lang\.[^]*gilt 27 Stunden lang und nur einmal\./],
    ] as const)
      expect((await renderMail(invitation, language)).html).toMatch(said);
  });
});
