/**
 * The scripts whose words are spelt with U+200C, as in Persian. In a word of any other script nobody sees it, and it
 * would hide the word from a spam filter.
 */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u
    .source;
const letter = String.raw`(?=${joining})\p{L}`;
const emoji = String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?`;
/** Blanks that Unicode calls letters or symbols: fillers of Hangul, and the Braille pattern without dots. */
const blanks = String.raw`\u3164\uffa0\u2800`;
/**
 * Invisible characters: those of spelling, which stay, and runs of all others. U+200D joins at most four emoji, as many
 * as a family has: a mail program cannot break a longer row into lines.
 */
const invisible = new RegExp(
  String.raw`((?<=${letter}\p{M}*)\u200c(?=${letter})|${emoji}(?:\u200d${emoji}){1,3})|[\p{Z}\p{C}${blanks}]+`,
  'gu',
);

/** Of a run of them, what has a width. */
const shownBlank = new RegExp(String.raw`[\p{Z}\p{Cc}${blanks}]`, 'u');

/**
 * One line, without invisible characters that could change its reading order or hide what it says. A letter keeps six
 * marks, one more than a Burmese syllable or a pointed Hebrew letter has: a stack of them covers the lines above and
 * below.
 */
export const oneLine = (text: string): string =>
  text
    .replace(invisible, (run, kept?: string) => kept ?? (shownBlank.test(run) ? ' ' : ''))
    .replace(/(\p{M}{6})\p{M}+/gu, '$1')
    .trim();

/**
 * No address that a mail program turns into a link. The zero-width non-joiner breaks links: after a dot it makes a host
 * invalid (UTS 46, CheckJoiners), whereas browsers drop other invisible characters and open the host.
 */
const unlinked = (line: string): string => line.replace(/[.․。．｡:/\\@](?=\S)/g, '$&\u200c');

/**
 * Makes a user-chosen name safe on one line: it cannot add a header, change the reading order, or contain an address
 * that a mail program turns into a link.
 */
export function neutralise(name: string): string {
  const line = oneLine(name);
  const characters = [...line];
  if (characters.length <= 64) return unlinked(line);
  const short = characters.slice(0, 63).join('');
  return unlinked(`${short.replace(/[\s\u200c\u200d]+$/, '')}…`);
}

/** Without a mark that looks like the end of quotes. The one in Hebrew abbreviations stays between their letters. */
const unquoted = (text: string): string =>
  text.replace(
    /["“”„‟«»〝〞〃＂\u02ba\u02dd\u02ee\u2033\u2036\u275d\u275e\u2760\u{1f676}-\u{1f678}]|(?<![\u05d0-\u05ea]\p{M}*)\u05f4|\u05f4(?![\u05d0-\u05ea])/gu,
    "'",
  );

/**
 * A user-chosen name in quotes; no quote in it can end them.
 *
 * @param quotes those of the language around `{text}`
 */
export const inQuotes = (name: string, quotes: string): string =>
  quotes.replace('{text}', () => neutralise(unquoted(name)));

/** User-written text in quotes that nothing in it can end, without an address that a mail program turns into a link. */
export function neutraliseLines(text: string, quotes: string): string {
  const lines = unquoted(text)
    .split(/\r?\n/)
    .map((line) => unlinked(oneLine(line)));
  return quotes.replace('{text}', () => lines.filter((line) => line !== '').join(' '));
}

/**
 * A masked e-mail address, which only someone who knows it recognises: `a***@example.com`. Its domain does not become a
 * link.
 */
export function maskEmail(email: string): string {
  return `${email.slice(0, 1)}***@${neutralise(email.slice(email.lastIndexOf('@') + 1))}`;
}

const thisMachine = new Set(['localhost', '127.0.0.1', '[::1]']);
/**
 * Names below `localhost` lead to this machine too, and nowhere else (RFC 6761, section 6.3). Apart from that of
 * shared/model/env.ts, because error pages load this file on demand.
 */
const isThisMachine = (host: string) => thisMachine.has(host) || host.endsWith('.localhost');

/** The link in the ASCII form that browsers use, without a space, quote or line break that could end it early. */
export function safeLink(link: string): string {
  const { protocol, hostname, href } = new URL(link);
  const local = protocol === 'http:' && isThisMachine(hostname);
  if (protocol !== 'https:' && !local) throw new TypeError('A link in a mail must be https.');
  return href;
}

/**
 * A duration in words of the language, never more than it is: whole days from two days on, whole hours from two hours
 * on, else minutes, or one hour.
 */
export function duration(minutes: number, language: string): string {
  const [count, unit] =
    minutes >= 2_880
      ? [Math.floor(minutes / 1_440), 'day']
      : minutes >= 120 || minutes === 60
        ? [Math.floor(minutes / 60), 'hour']
        : [minutes, 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    count,
  );
}

/** Escapes text for HTML, as content and in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
