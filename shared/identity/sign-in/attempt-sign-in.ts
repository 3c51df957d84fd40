import { getSigningKeys } from '../../access/signing-keys.ts';
import { countAttempt } from './count-attempt.ts';
import { type RequestClient, sessionOrigin } from './sign-in.ts';

/**
 * Proves who signs in by what a stranger could guess: a wrong proof counts among the failures of its network. Throws
 * `too_many_requests`, or what `prove` throws.
 *
 * @param method as in the statistics, of the failures
 */
export async function attemptSignIn<Proven>(
  { project_id, device_token }: { project_id: string; device_token?: string | undefined },
  method: string,
  client: RequestClient,
  now: Date,
  prove: () => Promise<Proven>,
) {
  const [signingKeys, attempt] = await Promise.all([
    getSigningKeys(),
    countAttempt(project_id, client, now),
  ]);
  const proven = await attempt.prove(method, prove);
  const originBy = (by: string) =>
    sessionOrigin(by, client, device_token, signingKeys.refreshSecret);
  return { proven, signingKeys, originBy };
}
