import * as z from 'zod';
import { readJson, writeJson } from './file.ts';

/** The file of a data folder with the secret keys that local projects have from their captcha providers. */
export const captchaKeysFile = 'captcha-keys.json';

const kept = z.record(z.string(), z.string());

/** The keys by project, which `npm run project:captcha-secret` changes while the server runs; undefined: nobody has set one. */
export const readCaptchaKeys = (file: string): Promise<Record<string, string> | undefined> =>
  readJson(file, kept);

/** Sets the key of a local project; undefined deletes it. */
export async function setLocalCaptchaKey(
  folder: string,
  project: string,
  key: string | undefined,
): Promise<void> {
  const file = `${folder}/${captchaKeysFile}`;
  const { [project]: _, ...others } = (await readCaptchaKeys(file)) ?? {};
  await writeJson(file, { ...others, ...(key !== undefined && { [project]: key }) });
}
