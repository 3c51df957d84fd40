import { describe, expect, test } from 'vitest';
import { renderMail } from '#shared/mail/render.ts';
import { duration, neutraliseLines } from '#shared/mail/sanitize.ts';

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
    ['see evil.test', '“see evil.\u200ctest”'],
  ])('%j is written %j, and nothing leads out of the quotes', (message, written) => {
    expect(neutraliseLines(message)).toBe(written);
    const { text } = renderMail({ ...invitation, message }, 'en');
    expect(text).toContain(`\n\n${written}\n\n`);
    // Those of the workspace's name, and those of the message.
    expect(text.match(/[“”]/g)).toEqual(['“', '”', '“', '”']);
  });

  test('has a direction of its own, which its first letter sets', () => {
    const { html } = renderMail({ ...invitation, message: 'انضم إلينا' }, 'en');
    const [, direction, style] = /<p class="soft" dir="(\w+)" style="([^"]*)">“ا/.exec(html) ?? [];
    expect([direction, style]).toEqual(['auto', expect.stringMatching(/;text-align:start$/)]);
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
  ])('of %i minutes is %s, never more than it is', (minutes, english, german) => {
    expect([duration(minutes, 'en'), duration(minutes, 'de')]).toEqual([english, german]);
  });

  test('is said alike in the mail and in its preview', () => {
    for (const [language, said] of [
      ['en', /valid for 27 hours\.[^]*works once, for 27 hours\./],
      ['de', /gilt 27 Stunden lang\.[^]*gilt 27 Stunden lang und nur einmal\./],
    ] as const)
      expect(renderMail(invitation, language).html).toMatch(said);
  });
});
