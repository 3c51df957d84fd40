import { getSigningKeys } from '../../access/signing-keys.ts';
import { consumeRateLimit, networkKey, refundRateLimit } from '../../db/rate-limits.ts';
import { recordingFailure } from '../../stats/failures.ts';
import { type Client, sessionOrigin } from './sign-in.ts';

/**
 * Proves who signs in by what a stranger could guess: a wrong proof counts among the failures of its network. Throws
 * `too_many_requests`, or what `prove` throws.
 *
 * @param method as in the statistics, of the failures
 */
export async function attemptSignIn<Proven>(
  { project_id, device_token }: { project_id: string; device_token?: string | undefined },
  method: string,
  client: Client,
  now: Date,
  prove: () => Promise<Proven>,
) {
  const network = networkKey(project_id, client.address);
  const [signingKeys] = await Promise.all([
    getSigningKeys(),
    consumeRateLimit('failuresFromOne', network, now),
  ]);
  const proven = await recordingFailure({ project_id, method, subject: network }, now, prove);
  refundRateLimit('failuresFromOne', network, now);
  const originBy = (by: string) =>
    sessionOrigin(by, client, device_token, signingKeys.refreshSecret);
  return { proven, signingKeys, originBy };
}
