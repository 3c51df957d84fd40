import type { ReactNode } from 'react';
import { later } from './later.ts';
import { useOwnPart } from './own-part.ts';
import type { Look } from './style.ts';

const Account = later(async () => (await import('./factor-account.ts')).FactorAccount);

export type SecondFactorProps = Look & {
  /** What the project has: an authenticator app (`mfa`), and passkeys (`passkeys`). Both by default. */
  methods?: readonly ('app' | 'passkey')[] | undefined;
};

/** The second factor of the signed-in user: their authenticator app with its recovery codes, and their passkeys. */
export function SecondFactor({
  methods = ['app', 'passkey'],
  ...look
}: SecondFactorProps): ReactNode {
  return useOwnPart(Account, { methods }, look);
}
