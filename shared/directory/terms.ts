/** What users, workspaces and members are found by: the beginning of an e-mail, of a name, or of a word of a name. */

/** Limits per item, because the cost of a long name must be bounded. */
const maxTerms = 10;
const maxTermLength = 128;

/** The form in which terms are stored and searched: any case, any width of letters, one space between words. */
export function normal(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
  // Cut by code points: half a surrogate pair is not a valid key.
  return Array.from(plain).slice(0, maxTermLength).join('').trim();
}

/** The terms of something with these names, and with an e-mail, which is not divided into words. */
function termsOf(names: readonly (string | undefined)[], email = ''): string[] {
  const whole = names.map((each) => normal(each ?? '')).filter((each) => each !== '');
  const words = whole.flatMap((each) => each.split(' '));
  const terms = new Set([normal(email), ...whole, ...words]);
  terms.delete('');
  return [...terms].slice(0, maxTerms);
}

export type Person = {
  email: string;
  display_name?: string | undefined;
  preferred_username?: string | undefined;
  name?:
    | Partial<Record<'formatted' | 'given_name' | 'family_name', string | undefined>>
    | undefined;
};

/** The terms of a person. */
export const termsOfPerson = ({ email, display_name, preferred_username, name }: Person) =>
  termsOf(
    [display_name, preferred_username, name?.formatted, name?.given_name, name?.family_name],
    email,
  );

/** The terms of a workspace. */
export const termsOfWorkspace = ({ name }: { name: string }): string[] => termsOf([name]);

/** True if the text is a prefix of one of the terms. */
export const isFoundBy = (terms: readonly string[], text: string): boolean =>
  terms.some((term) => term.startsWith(normal(text)));
