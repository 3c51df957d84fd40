import { uiLocales } from './authorization.ts';
import type ofAccount from './texts/account-en.json';
import type ofKeys from './texts/api-keys-en.json';
import type ofCaptcha from './texts/captcha-en.json';
import type english from './texts/en.json';
import type ofFactors from './texts/factors-en.json';
import type ofLinks from './texts/links-en.json';
import type ofMailed from './texts/mailed-en.json';
import type ofManaging from './texts/manage-en.json';
import type ofMembers from './texts/members-en.json';
import type ofPasskeys from './texts/passkeys-en.json';
import type ofPermissions from './texts/permissions-en.json';
import type ofRoles from './texts/roles-en.json';
import type ofWorkspaces from './texts/workspaces-en.json';

/** The texts of all parts in the language that has every one. */
type Texts = typeof english &
  typeof ofAccount &
  typeof ofCaptcha &
  typeof ofMembers &
  typeof ofPasskeys &
  typeof ofKeys &
  typeof ofFactors &
  typeof ofLinks &
  typeof ofMailed &
  typeof ofManaging &
  typeof ofPermissions &
  typeof ofRoles &
  typeof ofWorkspaces;
export type Key = keyof Texts;
/** A text with a form for each plural category of the language: `count_one`, `count_other`. */
type CountKey = Key extends infer K ? (K extends `${infer Stem}_other` ? Stem : never) : never;
type Catalogues<K extends Key> = Record<string, () => Promise<{ default: Record<K, string> }>>;

/** A language is one more line here and one more catalogue; and the same below and in `texts/*.ts`, of parts that come after a page. One from right to left also sets `dir`. */
const catalogues: Catalogues<keyof typeof english> = {
  en: () => import('./texts/en.json', { with: { type: 'json' } }),
  de: () => import('./texts/de.json', { with: { type: 'json' } }),
};
/** Of the second factor: a part of the account page that comes after it, and the second step of a sign-in. */
const factorCatalogues: Catalogues<keyof typeof ofFactors> = {
  en: () => import('./texts/factors-en.json', { with: { type: 'json' } }),
  de: () => import('./texts/factors-de.json', { with: { type: 'json' } }),
};
/** Of mailed sign-in links: a way to sign in that is picked, and the page of a link. */
const linkCatalogues: Catalogues<keyof typeof ofLinks> = {
  en: () => import('./texts/links-en.json', { with: { type: 'json' } }),
  de: () => import('./texts/links-de.json', { with: { type: 'json' } }),
};
/** Of passkeys, and of linked accounts: a part of the account page, the button of the sign-in, and the dialog that asks who it is. */
const passkeyCatalogues: Catalogues<keyof typeof ofPasskeys> = {
  en: () => import('./texts/passkeys-en.json', { with: { type: 'json' } }),
  de: () => import('./texts/passkeys-de.json', { with: { type: 'json' } }),
};

let texts: Record<string, string> = {};
/** The language of the texts, dates and numbers, as in BCP 47. */
let language = 'en';

/** Loads the first language that the application (`ui_locales`) or else the browser prefers and that we have. */
export async function loadTexts(): Promise<void> {
  const preferredTags = [...uiLocales().split(' '), ...navigator.languages];
  const supportedTag = preferredTags.find((each) => base(each) in catalogues);
  if (supportedTag && isLanguage(supportedTag)) language = supportedTag;
  await addTexts(catalogues);
  document.documentElement.lang = language;
}

/** Loads the texts of the second factor in the same language. */
export const loadFactorTexts = (): Promise<void> => addTexts(factorCatalogues);

/** Loads the texts of sign-in links in the same language. */
export const loadLinkTexts = (): Promise<void> => addTexts(linkCatalogues);

/** Loads the texts of passkeys in the same language. */
export const loadPasskeyTexts = (): Promise<void> => addTexts(passkeyCatalogues);

/** Adds texts in the language of the page. */
export async function addTexts<K extends Key>(source: Catalogues<K>): Promise<void> {
  const load = source[base(language)] ?? source['en'];
  if (!load) return;
  const { default: addition } = await load();
  // Not before: what another part has loaded meanwhile would be lost.
  texts = { ...texts, ...addition };
}

const base = (tag: string) => tag.split('-')[0]?.toLowerCase() ?? '';

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
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  );

/** A day of UTC, such as `2026-11-25`, which is the same everywhere. */
export const day = (iso: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(iso));

export const date = (iso: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(iso));
