import { secretReader } from '../access/secrets-manager.ts';
import { env } from '../model/env.ts';
import { captchaKeysIn } from './keys-text.ts';

/** The secret keys of captchas by `captchaKeyName`, which the operator sets. */
export const getCaptchaKeys = /* @__PURE__ */ secretReader(
  () => env.captchaSecretId(),
  captchaKeysIn,
  'The secret with the keys of captchas is no object of texts. Its version before this one is kept: AWSPREVIOUS.',
);
