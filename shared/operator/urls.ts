import * as z from 'zod';
import { httpsUrl } from '../model/fields.ts';
import { hostName } from '../model/host-name.ts';
import { limits } from '../model/limits.ts';

/** The URLs that an operator sets. */

/**
 * `http:` is allowed only on this machine, where no network can read or change the traffic: for a provider or page in
 * development. Of a text, not of a parsed host: it is compared as a whole, so it has one spelling.
 */
const onThisMachine = /^http:(?=\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$))/;
const isSecureUrl = (url: string): boolean =>
  httpsUrl.safeParse(url.replace(onThisMachine, 'https:')).success;

/** Whether a URL is one of a program on the machine of a developer. */
export const isOnThisMachine = (url: string): boolean => onThisMachine.test(url);

export const secureUrl = z
  .string()
  .refine(isSecureUrl, 'Must be an https URL, or http on this machine');

/** Where a browser shows pages: a secure URL without a path. */
export const origin = secureUrl.refine(
  (url) => URL.parse(url)?.origin === url,
  'Must be an origin such as https://app.example.com, without a path',
);

/**
 * A scheme that only one application may claim: the reversed name of a domain, hence with a dot (RFC 8252 section 7.1).
 * That excludes `javascript:`, `data:` and every scheme that browsers open by themselves.
 */
const privateUse = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/[\w.~:/?[\]@!$&'()+,;=%-]*$/;

const redirectRule =
  'Must be an https URL, http on this machine, or of a private-use scheme with a dot such as com.example.app:/callback, without # and *';

/**
 * Where a browser is sent with a code. It is compared as a whole (RFC 9700 section 4.1): with a wildcard, anyone who
 * controls one of many pages would get the code. A fragment would follow the browser wherever that page sends it next.
 */
export const redirectUri = z
  .string()
  .max(limits.redirectUri)
  .refine(
    (uri) => !/[#*]/.test(uri) && (isSecureUrl(uri) || (privateUse.test(uri) && URL.canParse(uri))),
    redirectRule,
  );

/** The host name of a project's hosted pages. A URL, a port, an IP address or upper case is none. */
export const pagesDomain = z
  .string()
  .regex(hostName, 'Must be a host name in lower case such as auth.example.com');
