import { isIP } from 'node:net';
import { invalidField } from '../model/errors.ts';
import { isRegistrable } from '../model/public-suffix.ts';
import {
  isLocalHost,
  isLocalService,
  noPublicName,
  stripBrackets,
  targetProblem,
} from '../outbound/target.ts';

/** Returns if a webhook may have this target. Throws `invalid_request` with the problem. */
export async function assertTarget(url: string): Promise<void> {
  const local = isLocalService();
  const flaw = targetProblem(url, local) ?? (await nameProblem(url, local));
  if (flaw !== undefined) throw invalidField('/body/url', flaw);
}

/**
 * Checks that the domain of the host can be registered. Only checked when a target is set: a name that nobody owns
 * cannot be called anyway.
 */
async function nameProblem(url: string, local: boolean): Promise<string | undefined> {
  const { hostname } = new URL(url);
  if (isIP(stripBrackets(hostname)) > 0 || (local && isLocalHost(hostname))) return undefined;
  const name = hostname.replace(/\.$/, '');
  return (await isRegistrable(name, { privateSuffixes: false })) ? undefined : noPublicName;
}
