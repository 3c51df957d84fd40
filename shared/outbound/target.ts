import { isIP } from 'node:net';
import { env } from '../model/env.ts';
import { isLoopback, isPublic } from './address.ts';

/** Checks of a target by its URL. The addresses behind a host name are checked when it is called. */

/** True for a service on a developer's machine, which may call programs on that machine by plain http. */
export function isLocalService(): boolean {
  const { protocol, hostname } = new URL(env.baseUrl());
  return protocol === 'http:' && isLocalHost(hostname);
}

/** What is wrong with a target, as an error detail. Undefined if the target is valid. */
export function targetProblem(text: string, local: boolean): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'Must be an https URL';
  if (url.username !== '' || url.password !== '') return 'Must not contain a user name or password';
  const { protocol, hostname } = url;
  if (local && /^https?:$/.test(protocol) && isLocalHost(hostname)) return undefined;
  if (protocol !== 'https:') return 'Must be an https URL';
  // Ports below 1024 belong to services that do not speak HTTP, and that might interpret a request as a command.
  if (url.port !== '' && Number(url.port) < 1024) return 'Must use port 443, or 1024 or higher';
  const host = stripBrackets(hostname);
  if (isIP(host) > 0) return isPublic(host) ? undefined : 'Must have a public address';
  return publicName.test(host) && !/(?:^|\.)localhost\.?$/.test(host) ? undefined : noPublicName;
}

/**
 * At least two labels (RFC 1035, section 2.3.1, plus the underscore, which is in use), with or without the dot of the
 * root.
 */
const publicName =
  /^(?=.{1,254}$)[a-z0-9_](?:[\w-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[\w-]{0,61}[a-z0-9_])?)+\.?$/;
export const noPublicName = 'Must have a public host name';

/** True if this address may be called for this host. */
export function isCallable(address: string, host: string, local: boolean): boolean {
  return isPublic(address) || (local && isLocalHost(host) && isLoopback(address));
}

/** As `isThisMachine`, for an address by its bits: what it lets through is called. */
export const isLocalHost = (host: string) =>
  host === 'localhost' || isLoopback(stripBrackets(host));

/** The host of a URL, without the brackets around an IPv6 address. */
export const stripBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
