import { later } from './later.ts';
import { ownPart } from './own-part.ts';
import type { Look } from './style.ts';

type Methods = {
  /** What the project has: an authenticator app (`mfa`), and passkeys (`passkeys`). Both by default. */
  methods?: readonly ('app' | 'passkey')[] | undefined;
};
export type SecondFactorProps = Look & Methods;

/** The second factor of the signed-in user: their authenticator app with its recovery codes, and their passkeys. */
export const SecondFactor = ownPart<Methods>(
  later(async () => (await import('./factor-account.ts')).FactorAccount),
);
