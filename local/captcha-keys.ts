import * as z from 'zod';
import { changedCaptchaKeys, type KeyChange } from '../shared/captcha/key-name.ts';
import { readJson, writeJson } from './file.ts';

/** The file of a data folder with the secret keys that local projects have from their captcha providers. */
export const captchaKeysFile = 'captcha-keys.json';

const kept = z.record(z.string(), z.string());

/**
 * The keys by `captchaKeyName`, which `npm run project:captcha-secret` changes while the server runs; undefined if none
 * is set.
 */
export const readCaptchaKeys = (file: string): Promise<Record<string, string> | undefined> =>
  readJson(file, kept);

/** Changes the keys of a local project. False if there was none to delete. */
export async function changeLocalCaptchaKeys(
  folder: string,
  project: string,
  change: KeyChange | undefined,
): Promise<boolean> {
  const file = `${folder}/${captchaKeysFile}`;
  const before = new Map(Object.entries((await readCaptchaKeys(file)) ?? {}));
  const after = changedCaptchaKeys(before, project, change);
  await writeJson(file, Object.fromEntries(after));
  return change !== undefined || after.size < before.size;
}
