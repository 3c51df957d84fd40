/**
 * The languages of mails and hosted pages. Each has a file in `shared/mail/texts/`, and one beside each English one in
 * `pages/texts/`. The first is the default.
 */
export const languages = ['en', 'de', 'fr', 'es'] as const;

export type Language = (typeof languages)[number];

/** The language of this name, or the first of them. */
export const languageNamed = (name: string | undefined): Language =>
  languages.find((each) => each === name) ?? languages[0];

/** A time in words, in a language by its tag. The first of a month is an ordinal number in French, which Intl does not know. */
export function timeInWords(at: Date, tag: string, options: Intl.DateTimeFormatOptions): string {
  const text = new Intl.DateTimeFormat(tag, options).format(at);
  return /^fr\b/i.test(tag) ? text.replace(/^1 /, '1er ') : text;
}

/** Languages of a longer list are not read: nobody has so many. */
const maxListed = 20;

/**
 * The language of `Accept-Language` (RFC 9110, section 12.5.4) that its sender likes best among those of the mails;
 * undefined if there is none. `de-CH` is `de` (RFC 4647, section 3.4).
 */
export function preferredLanguage(header: string): Language | undefined {
  const listed = header
    .split(',', maxListed)
    .map((part) => {
      const [range = '', ...parameters] = part.split(';');
      const [, quality = '1'] = /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(parameters[0] ?? '') ?? [];
      const [primary = ''] = range.trim().toLowerCase().split('-');
      return { language: languages.find((each) => each === primary), quality: +quality };
    })
    .filter(({ language, quality }) => language !== undefined && quality > 0);
  return listed.toSorted((one, other) => other.quality - one.quality)[0]?.language;
}
