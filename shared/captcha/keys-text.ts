import { isObject, parseJson } from '../model/json-object.ts';

/** The random text with which CloudFormation makes the secret: no project has a key. */
const initial = /^\S{32}$/;

/**
 * The keys in the text of the secret, by `captchaKeyName`: `{"PROJECT SITE_KEY URL": "KEY"}`. None in the text with
 * which the secret begins; undefined for any other.
 */
export function captchaKeysIn(text: string): ReadonlyMap<string, string> | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return initial.test(text) ? new Map() : undefined;
  const entries = Object.entries(value);
  const isKey = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string';
  return entries.every(isKey) ? new Map(entries) : undefined;
}
