import type { ReactNode } from 'react';
import { later } from './later.ts';
import { useOwnPart } from './own-part.ts';
import type { Look } from './style.ts';

type Methods = {
  /** What the project has: an authenticator app (`mfa`), and passkeys (`passkeys`). Both by default. */
  methods?: readonly ('app' | 'passkey')[] | undefined;
};
export type SecondFactorProps = Look & Methods;

const Factors = later<SecondFactorProps>(
  async () => (await import('./factor-account.ts')).FactorAccount,
);

/** The second factor of the signed-in user: their authenticator app with its recovery codes, and their passkeys. */
export function SecondFactor(props: SecondFactorProps): ReactNode {
  return useOwnPart(Factors, props);
}
