import { secretReader } from '../access/secrets-manager.ts';
import { env } from '../model/env.ts';

/** The secret keys of captchas by project. The operator writes them: `{"PROJECT": "KEY"}`. */
export const getCaptchaKeys = /* @__PURE__ */ secretReader(() => env.captchaSecretId(), keysIn);

/** The keys in the text of the secret; undefined for the random text with which it begins. */
function keysIn(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    return new Map(entries.filter((each): each is [string, string] => typeof each[1] === 'string'));
  } catch {
    return undefined;
  }
}
