import * as z from 'zod';

const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// A last label that is a number makes it an IPv4 address to some readers (WHATWG URL, section 3.5): 0x7f.1.
const hostname =
  /^(?=.{1,253}$)(?!.*\.(?:\d+|0x[\da-f]*)$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** The form by which e-mails are compared and keyed. Plus signs and dots are significant. */
export const normalizeEmail = (email: string): string => email.toLowerCase();

/** The domain of an e-mail, in lower case. */
export const domainOf = (email: string): string =>
  email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** An e-mail address: RFC 5321 dot-atom, ASCII, 64 octets before and 254 in all, under a registrable domain. */
export const email = z
  .string()
  .max(254)
  .refine(isEmail, 'Must be an e-mail address under a registrable domain')
  .meta({ format: 'email', example: 'ada@example.com' });

/** An e-mail domain as A-labels (RFC 5890) in lower case; no wildcard, no address, no public suffix. */
export const emailDomain = z
  .string()
  .max(253)
  .transform((value) => value.toLowerCase())
  .refine(isRegistrable, 'Must be a registrable domain name such as example.com')
  .meta({ example: 'example.com' });

async function isEmail(value: string): Promise<boolean> {
  const at = value.lastIndexOf('@');
  return at > 0 && at <= 64 && local.test(value.slice(0, at)) && isRegistrable(domainOf(value));
}

/**
 * Whether someone can have registered the domain: not an address and not itself a public suffix. A top-level domain
 * that the list does not know counts as a suffix, as the list's own algorithm says, so a new one works at once.
 */
async function isRegistrable(domain: string): Promise<boolean> {
  if (!hostname.test(domain)) return false;
  // The public suffix list is 130 KB of code: a chunk of its own, loaded by the first function that needs it.
  const { parse } = await import('tldts');
  const found = parse(domain, { allowPrivateDomains: true, validateHostname: false });
  return found.domain !== null && found.isIp === false;
}
