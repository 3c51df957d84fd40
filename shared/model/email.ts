import * as z from 'zod';
import { isRegistrable } from './public-suffix.ts';

const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
// Some parsers read a host with a numeric last label as an IPv4 address (WHATWG URL, section 3.5): 0x7f.1.
const hostname =
  /^(?=.{1,253}$)(?!.*\.(?:\d+|0[Xx][\dA-Fa-f]*)$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

/** The normalised form in which e-mails are compared and used as keys. Plus signs and dots are significant. */
export const normalizeEmail = (email: string): string => email.toLowerCase();

/** The domain of an e-mail, in lower case. */
export const domainOf = (email: string): string =>
  email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/**
 * What reads as an RFC 2047 encoded word: a mail program or service that decodes it would send the mail, and what it
 * proves, to the address of another domain.
 */
const encodedWord = /=\?.*\?=/;

/** What is wrong, in words that help who has typed an address in their own script. */
const unless = (isRight: (value: string) => Promise<boolean>, wrong: string) =>
  z.refine<string>(isRight, {
    error: ({ input }) =>
      /^\p{ASCII}*$/u.test(String(input))
        ? wrong
        : 'Must be ASCII, with the domain as in DNS, such as xn--bcher-kva.example',
  });

/**
 * An e-mail address: RFC 5321 dot-atom, ASCII, 64 octets before and 254 in all, under a registrable domain. SES sends to
 * no other (SMTPUTF8).
 */
export const email = z
  .string()
  .max(254)
  .check(unless(isEmail, 'Must be an e-mail address under a registrable domain'))
  .meta({ format: 'email', example: 'ada@example.com' });

/** An e-mail domain as A-labels (RFC 5890) in lower case; no wildcard, no address, no public suffix. */
export const emailDomain = z
  .string()
  .max(253)
  .check(unless(isEmailDomain, 'Must be a registrable domain name such as example.com'))
  .transform((value) => value.toLowerCase())
  // For readers of the contract. JSON Schema cannot express that the domain must be registrable.
  .meta({ pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$', example: 'example.com' });

async function isEmail(value: string): Promise<boolean> {
  const at = value.lastIndexOf('@');
  const domain = value.slice(at + 1);
  const name = value.slice(0, Math.max(0, at));
  return at <= 64 && local.test(name) && !encodedWord.test(name) && isEmailDomain(domain);
}

/**
 * Whether the domain can be registered: not an address and not itself a public suffix. Checks the text before
 * lower-casing: U+212A, the Kelvin sign, becomes an ASCII `k` in lower case.
 */
async function isEmailDomain(domain: string): Promise<boolean> {
  return hostname.test(domain) && (await isRegistrable(domain, { privateSuffixes: true }));
}
