import { type Language, timeInWords } from '../model/languages.ts';
import { deviceName } from './device-name.ts';
import { layout } from './layout.ts';
import { providerTitle } from './provider-title.ts';
import {
  duration,
  inQuotes,
  maskEmail,
  neutralise,
  neutraliseLines,
  safeLink,
} from './sanitize.ts';
import { loadMailTexts, type MailContent } from './templates.ts';

/** Renders a mail. Rejects with a TypeError for a link that is neither https nor on this machine. */
export async function renderMail(
  letter: MailContent,
  language: Language,
): Promise<{ subject: string; text: string; html: string }> {
  const { words, devices, templates } = await loadMailTexts(language);
  const quoted = (name: string) => inQuotes(name, words.quotes);
  const values: Record<string, string> = {
    product: neutralise(letter.product) || words.this_service,
    ...('minutes' in letter && { valid: duration(letter.minutes, language) }),
    ...('workspace' in letter && { workspace: quoted(letter.workspace) }),
    ...('inviter' in letter && { inviter: neutralise(letter.inviter) || words.somebody }),
    ...('provider' in letter && { provider: neutralise(providerTitle(letter.provider)) }),
    ...('passkey' in letter && { passkey: quoted(letter.passkey) }),
    ...('new_email' in letter && { new_email: maskEmail(letter.new_email) }),
    ...('at' in letter && { time: inWords(letter.at, language) }),
    ...('from' in letter && { day: dayInWords(letter.from, language) }),
    ...('reason' in letter && { reason: quoted(letter.reason) }),
    ...('user_agent' in letter && {
      device: deviceName(letter.user_agent, devices),
      network: neutralise(letter.network),
    }),
  };
  // A single pass, so that a product named {valid} keeps its name.
  const fill = (line: string) => line.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  const { subject, preheader, heading, body, button, otherwise } = templates[letter.template];
  const page = {
    language,
    subject: fill(subject),
    product: fill('{product}'),
    preheader: fill(preheader ?? words.act_now),
    heading,
    body: fill(body),
    ...('message' in letter &&
      letter.message !== undefined && { quote: neutraliseLines(letter.message, words.quotes) }),
    ...('link' in letter && {
      action: { link: safeLink(letter.link), label: button ?? heading, hint: words.copy_link },
      ...('minutes' in letter && { note: fill(words.link_valid) }),
    }),
    ...('code' in letter && { code: letter.code, note: fill(words.code_valid) }),
    otherwise: fill(otherwise),
  };
  const text = [
    page.heading,
    page.body,
    page.quote,
    page.action?.link,
    page.code,
    page.note,
    page.otherwise,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
  return { subject: page.subject, text: `${text}\n`, html: layout(page) };
}

/** Of dates: those of English have the day before the month. */
const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);

/** `22 November 2026 at 11:05 UTC`: the reader's time zone is unknown. */
const inWords = (time: Date, language: Language): string =>
  `${formatted(time, language, { timeStyle: 'short' })} UTC`;

/** `22 November 2026`, in UTC. */
const dayInWords = (time: Date, language: Language): string => formatted(time, language, {});

function formatted(time: Date, language: Language, style: Intl.DateTimeFormatOptions): string {
  const options = { dateStyle: 'long', timeZone: 'UTC', ...style } as const;
  return timeInWords(time, localeOf(language), options);
}
