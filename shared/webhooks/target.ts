import { isIP } from 'node:net';
import { env } from '../env.ts';
import { invalid } from '../errors.ts';
import { isLoopback, isPublic } from './address.ts';

/** Where a webhook may go, as far as its URL tells; the addresses behind a name are judged when it is called. */

/** Whether this is a service on its developer's machine, which may call programs beside it over plain http. */
export function isLocalService(): boolean {
  const { protocol, hostname } = new URL(env.baseUrl());
  return protocol === 'http:' && isLocalHost(hostname);
}

/** What is wrong with a target, as a sentence for whoever named it; undefined where nothing is. */
export function flawOfTarget(text: string, local: boolean): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'Must be an https URL';
  if (url.username !== '' || url.password !== '') return 'Must not hold user information';
  const { protocol, hostname } = url;
  if (local && /^https?:$/.test(protocol) && isLocalHost(hostname)) return undefined;
  if (protocol !== 'https:') return 'Must be an https URL';
  // Below 1024 listen services that do not speak HTTP, and might take a request for a command.
  if (url.port !== '' && Number(url.port) < 1024) return 'Must have the port 443, or one from 1024';
  const host = bare(hostname);
  if (isIP(host) > 0) return isPublic(host) ? undefined : 'Must have a public address';
  return /^localhost\.?$|\.localhost\.?$/.test(host) || !host.includes('.')
    ? 'Must have a public host name'
    : undefined;
}

/** Returns when a webhook may have this target. Throws `invalid_request` that says what is wrong with it. */
export function assertTarget(url: string): void {
  const flaw = flawOfTarget(url, isLocalService());
  if (flaw !== undefined) throw invalid('/body/url', flaw);
}

/** Whether an address may be called for this host. */
export function isCallable(address: string, host: string, local: boolean): boolean {
  return isPublic(address) || (local && isLocalHost(host) && isLoopback(address));
}

const isLocalHost = (host: string) => host === 'localhost' || isLoopback(bare(host));

/** The host of a URL without the brackets of an IPv6 address. */
export const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
