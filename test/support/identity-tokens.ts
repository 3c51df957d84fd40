import { expect } from 'vitest';
import type { IdentityProvider } from '#shared/access/projects.ts';
import { runInRequest } from '#shared/db/request-context.ts';
import type { Identity } from '#shared/identity/identities/identity-claims.ts';
import { verifyIdentityToken } from '#shared/identity/identities/identity-token.ts';
import { ApiError } from '#shared/model/errors.ts';

type Options = {
  nonce?: string;
  now?: Date;
  /** Milliseconds left for the request. */
  budget?: number;
};

/** Verifies a token as a request does. */
export function verify(
  token: string,
  provider: IdentityProvider,
  { budget = 2_500, ...options }: Options = {},
): Promise<Identity> {
  // A service on a developer's machine, which may fetch keys from localhost.
  if (!URL.canParse(process.env['BASE_URL'] ?? '')) process.env['BASE_URL'] = 'http://127.0.0.1';
  return runInRequest('test', budget, ({ now }) =>
    verifyIdentityToken(token, provider, { now, ...options }),
  );
}

/** The error of a rejected token. */
export async function failureOf(verified: Promise<Identity>): Promise<ApiError> {
  const outcome = await verified.catch((error: unknown) => error);
  if (outcome instanceof ApiError) return outcome;
  if (outcome instanceof Error) throw outcome;
  throw new Error(`The token was accepted: ${JSON.stringify(outcome)}`);
}

/** Why a token is rejected, in a text that does not contain the token. */
export async function refusal(
  token: string,
  provider: IdentityProvider,
  options: Options = {},
): Promise<string> {
  const { code, detail } = await failureOf(verify(token, provider, options));
  expect(code, detail).toBe('identity_token_invalid');
  for (const part of token.split('.')) if (part.length > 3) expect(detail).not.toContain(part);
  return detail;
}
