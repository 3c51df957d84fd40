import { type Language, languages, timeInWords } from '../shared/model/languages.ts';
import { uiLocales } from './authorization.ts';
import type ofAccount from './texts/account-en.json';
import type ofKeys from './texts/api-keys-en.json';
import type ofCaptcha from './texts/captcha-en.json';
import type ofAll from './texts/common-en.json';
import type ofFactors from './texts/factors-en.json';
import type ofJoining from './texts/joining-en.json';
import type ofLinks from './texts/links-en.json';
import type ofMailed from './texts/mailed-en.json';
import type ofManaging from './texts/manage-en.json';
import type ofMembers from './texts/members-en.json';
import type ofPasskeys from './texts/passkeys-en.json';
import type ofPasswords from './texts/passwords-en.json';
import type ofPermissions from './texts/permissions-en.json';
import type ofRoles from './texts/roles-en.json';
import type ofSignOut from './texts/sign-out-en.json';
import type ofWorkspaces from './texts/workspaces-en.json';

/** The texts of all parts in the language that has every one. */
type Texts = typeof ofAll &
  typeof ofAccount &
  typeof ofCaptcha &
  typeof ofMembers &
  typeof ofPasskeys &
  typeof ofJoining &
  typeof ofKeys &
  typeof ofFactors &
  typeof ofLinks &
  typeof ofMailed &
  typeof ofManaging &
  typeof ofPasswords &
  typeof ofPermissions &
  typeof ofRoles &
  typeof ofSignOut &
  typeof ofWorkspaces;
export type Key = keyof Texts;
/** A text with a form for each plural category of the language: `count_one`, `count_other`. */
type CountKey = Key extends infer K ? (K extends `${infer Stem}_other` ? Stem : never) : never;
let texts: Record<string, string> = {};
/** The language of the texts, dates and numbers, as in BCP 47. */
let language = 'en';

/** Loads the first language that the application (`ui_locales`) or else the browser prefers and that we have. */
export async function loadTexts(): Promise<void> {
  const preferredTags = [...uiLocales().split(' '), ...navigator.languages];
  const supportedTag = preferredTags.find(catalogueOf);
  if (supportedTag && isLanguage(supportedTag)) language = supportedTag;
  await addTexts((name) => import(`./texts/common-${name}.json`, { with: { type: 'json' } }));
  document.documentElement.lang = language;
}

/** Loads the texts of the second factor: a part of the account page that comes after it, and the second step of a sign-in. */
export const loadFactorTexts = (): Promise<void> =>
  addTexts((name) => import(`./texts/factors-${name}.json`, { with: { type: 'json' } }));

/** Loads the texts of mailed sign-in links: a way to sign in that is picked, and the page of a link. */
export const loadLinkTexts = (): Promise<void> =>
  addTexts((name) => import(`./texts/links-${name}.json`, { with: { type: 'json' } }));

/**
 * Loads the texts of passkeys, and of linked accounts: a part of the account page, the button of the sign-in, and the
 * dialog that asks who it is.
 */
export const loadPasskeyTexts = (): Promise<void> =>
  addTexts((name) => import(`./texts/passkeys-${name}.json`, { with: { type: 'json' } }));

/**
 * Adds texts in the language of the page. The build finds the files of a catalogue by the pattern of its name
 * (`lib/hosted-pages.ts`), so a language is one more file of each, and its name in the list.
 */
export async function addTexts(
  load: (language: Language) => Promise<{ default: Partial<Texts> }>,
): Promise<void> {
  const { default: addition } = await load(catalogueOf(language) ?? 'en');
  // Not before: what another part has loaded meanwhile would be lost.
  texts = { ...texts, ...addition };
}

const catalogueOf = (tag: string) =>
  languages.find((each) => each === tag.split('-')[0]?.toLowerCase());

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

type Values = Record<string, string | number>;

/** A text, with its `{placeholders}` filled in. */
export const t = (key: Key, values: Values = {}): string =>
  (texts[key] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => formatValue(values[name]));

/** A text about a number. */
export function count(key: CountKey, number: number, values: Values = {}): string {
  const category = new Intl.PluralRules(language).select(number);
  const form = `${key}_${category}` as Key;
  return t(form in texts ? form : (`${key}_other` as Key), { ...values, count: number });
}

/** The text of a key, or another one where there is none. */
export const textOr = (key: string, other: string): string =>
  Object.hasOwn(texts, key) ? t(key as Key) : other;

/** A number, or a text that others have chosen: one from right to left must not reorder the words around it. */
const formatValue = (value: string | number = '') =>
  typeof value === 'number'
    ? new Intl.NumberFormat(language).format(value)
    : /[\u0590-\u08ff]/.test(value)
      ? `\u2068${value}\u2069`
      : value;

/** A point in time, in the time zone of the browser. */
export const dateAndTime = (iso: string): string =>
  timeInWords(new Date(iso), language, { dateStyle: 'medium', timeStyle: 'short' });

/** A day of UTC, such as `2026-11-25`, which is the same everywhere. */
export const day = (iso: string): string =>
  timeInWords(new Date(iso), language, { dateStyle: 'medium', timeZone: 'UTC' });

export const date = (iso: string): string =>
  timeInWords(new Date(iso), language, { dateStyle: 'medium' });
