import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { PresetName } from '../../shared/model/provider-presets.ts';
import { CommandFailure } from '../flags.ts';

/** The client secret in the input. Throws a `CommandFailure` that repeats no part of the input. */
export const readProviderSecret = (input: string, preset: PresetName): string =>
  preset === 'apple' ? requireAppleKey(requireText(input)) : readSecretLine(input);

/** The one-line secret in the input. Throws a `CommandFailure` that repeats no part of the input. */
export function readSecretLine(input: string): string {
  const secret = requireText(input);
  if (!/^[\x21-\x7e]{1,1024}$/.test(secret))
    throw new CommandFailure('The secret must be one line of printable characters without spaces.');
  return secret;
}

function requireText(input: string): string {
  const secret = input.trim();
  if (secret === '')
    throw new CommandFailure('Pass the secret on standard input, such as from a file: … < FILE');
  return secret;
}

function requireAppleKey(pem: string): string {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {}
  if (key?.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new CommandFailure("The secret of apple must be Apple's private key: the .p8 file.");
  return key.export({ type: 'pkcs8', format: 'pem' }) as string;
}
