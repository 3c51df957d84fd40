import { createSecretKey, type KeyObject } from 'node:crypto';
import type { SignInProvider } from '../access/projects.ts';
import { secretReader } from '../access/secrets-manager.ts';
import { epochSeconds } from '../db/item.ts';
import { currentRequest } from '../db/request-context.ts';
import type { SealedTokens } from '../identity/identities/provider-tokens.ts';
import { decrypt, encrypt } from '../model/aes-gcm.ts';
import { env } from '../model/env.ts';
import { ApiError } from '../model/errors.ts';
import { derive, derivingKey } from '../model/hmac.ts';
import { providerLimits } from '../model/provider-limits.ts';
import { baseOf } from '../model/provider-presets.ts';
import type { ProviderTokens } from './token-response.ts';

/** An access token that was kept. */
export type KeptToken = {
  access_token: string;
  /** Epoch seconds. */
  expires_at?: number;
  scope?: string;
};

/** Whose tokens they are. An account is linked with one user at most, so this names the user too. */
export type Owner = {
  project_id: string;
  /** Its name in the project. */
  provider: string;
  settings: SignInProvider;
  account: { issuer: string; subject: string };
};

/** Says that no stored token is valid any more. */
export const signInRequired = (reason: string): ApiError =>
  new ApiError('provider_sign_in_required', { reason });

/** A key with the four bytes by which what it has encrypted names it. */
type TokenKey = { id: Buffer; key: KeyObject };
/** The first encrypts, and each decrypts what it has encrypted. */
export type TokenKeys = readonly [TokenKey, ...TokenKey[]];
const idLength = 4;

/**
 * The keys of provider tokens, one in each line of the secret. They have no other use: no function beside those that
 * keep or give tokens can read one.
 */
export const getTokenKeys = /* @__PURE__ */ secretReader(
  () => env.providerTokenSecretId(),
  (text): TokenKeys | undefined => {
    const [first, ...others] = text.split(/\s+/).flatMap((line) => {
      const root = derivingKey(line);
      if (!root) return [];
      const id = derive('provider token key id', root).subarray(0, idLength);
      return [{ id, key: createSecretKey(derive('provider token key', root)) }];
    });
    return first && [first, ...others];
  },
);

/** What is kept of an answer beside its refresh token. */
export function keptOf({ access_token, expires_in, scope }: ProviderTokens): KeptToken {
  const { now } = currentRequest();
  return {
    access_token,
    ...(expires_in !== undefined && {
      // A date has an end.
      expires_at: epochSeconds(now) + Math.min(Math.floor(expires_in), farAway),
    }),
    ...(scope !== undefined && { scope }),
  };
}

/** Ten years, in seconds. */
const farAway = 315_360_000;

/**
 * Encrypts the tokens of an account, the refresh token apart: a later answer may have none. One that is too long takes
 * the place of the one before all the same, and is kept as an access token that has ended, or as an empty refresh token.
 * The one before may be used up, or have other scopes.
 */
export function sealTokens(
  [{ id, key }]: TokenKeys,
  owner: Owner,
  tokens: ProviderTokens,
): SealedTokens {
  const seal = (kind: Kind, text: string, instead: string) => {
    const isTooLong = text.length > providerLimits.token;
    if (isTooLong) currentRequest().survived = new Error('The token is too long to be kept');
    const kept = Buffer.from(isTooLong ? instead : text);
    return Buffer.concat([id, encrypt(key, kept, about(kind, owner))]);
  };
  const { refresh_token } = tokens;
  const access = keptOf(tokens);
  const { scope = '' } = access;
  const ended = {
    access_token: '',
    expires_at: epochSeconds(currentRequest().now),
    // The next answer may name none, which means the same.
    ...(scope !== '' && scope.length <= providerLimits.token && { scope }),
  };
  return {
    sealed_access: seal('access', JSON.stringify(access), JSON.stringify(ended)),
    ...(refresh_token !== undefined && { sealed_refresh: seal('refresh', refresh_token, '') }),
  };
}

/** The access token in what is kept of an owner; undefined if it is not of this owner, or its key is gone. */
export function openAccess(keys: TokenKeys, owner: Owner, sealed: Uint8Array) {
  const text = open(keys, sealed, about('access', owner));
  return text === undefined ? undefined : (JSON.parse(text) as KeptToken);
}

/** The refresh token in the same way; undefined also where it was too long to be kept. */
export const openRefresh = (keys: TokenKeys, owner: Owner, sealed: Uint8Array) =>
  open(keys, sealed, about('refresh', owner)) || undefined;

function open(keys: TokenKeys, sealed: Uint8Array, expected: string): string | undefined {
  const named = keys.find(({ id }) => id.equals(sealed.subarray(0, idLength)));
  if (!named) return undefined;
  try {
    return decrypt(named.key, sealed.subarray(idLength), expected).toString();
  } catch (error) {
    // The settings have another client or issuer now, or somebody has put it here from elsewhere.
    currentRequest().survived = error;
    return undefined;
  }
}

type Kind = 'access' | 'refresh';

/**
 * What a text is bound to: it is worth nothing in the item of another account, project or provider, in the place of the
 * other kind, or once the project has another client or issuer under this name.
 */
function about(kind: Kind, { project_id, provider, settings, account }: Owner): string {
  const { preset, client_id } = settings;
  const at = [provider, preset, baseOf(settings), client_id];
  return JSON.stringify([
    ...['provider token', kind, project_id],
    ...at,
    ...[account.issuer, account.subject],
  ]);
}
