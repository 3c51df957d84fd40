import { domainOf, email } from '../../model/email.ts';
import { ApiError } from '../../model/errors.ts';
import { httpsUrl } from '../../model/fields.ts';
import { limits } from '../../model/limits.ts';

/** A person according to an identity provider. All values are valid in a profile. */
export type Identity = {
  issuer: string;
  /** With `issuer`, the permanent id of the account. An e-mail may be reassigned to another person. */
  subject: string;
  /**
   * Empty if the token has no e-mail that a user can have. A linked account needs none, because it is known by its
   * subject.
   */
  email: string;
  email_verified: boolean;
  /** True if the e-mail is verified today, not only when the provider checked it. */
  email_current: boolean;
  name?: { given_name?: string; family_name?: string; formatted?: string };
  picture?: string;
};

/** What a provider says of somebody, under the names of OpenID Connect. Nothing in it is checked. */
export type Claims = Record<string, unknown>;

/** Whether an e-mail is verified, and whether it is so today: what the word of the provider is worth. */
type Proof = Pick<Identity, 'email_verified' | 'email_current'>;

/**
 * The person of claims whose origin is verified. Throws `identity_token_invalid` for a subject that is none.
 *
 * @param proofOf the worth of the provider's word on the e-mail, which the claims have
 */
export async function toIdentity(
  claims: Claims,
  issuer: string,
  proofOf: (claims: Claims, address: string) => Proof,
): Promise<Identity> {
  // OpenID Connect Core 2: at most 255 ASCII characters.
  if (typeof claims['sub'] !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(claims['sub']))
    throw new ApiError('identity_token_invalid', {
      detail: 'The token has no subject, or one that is not 1 to 255 ASCII characters',
    });
  const address = await email.safeParseAsync(claims['email']);
  const name = nameFrom(claims);
  const picture = httpsUrl.safeParse(claims['picture']);
  const proof = address.success
    ? proofOf(claims, address.data)
    : { email_verified: false, email_current: false };
  return {
    issuer,
    subject: claims['sub'],
    email: address.data ?? '',
    email_verified: proof.email_verified,
    email_current: proof.email_verified && proof.email_current,
    ...(name && { name }),
    ...(picture.success && { picture: picture.data }),
  };
}

/**
 * Whether the claims say that the e-mail is verified. Apple and others send a string. In a signed token it can only
 * mean the same. All other values are false.
 */
export const saysVerified = ({ email_verified }: Claims): boolean =>
  email_verified === true || email_verified === 'true';

/**
 * Whether Google's verification of an e-mail is current. Google operates the mailboxes of gmail.com and of its
 * Workspace customers (`hd`). Any other address it verified once, and that address may have been reassigned since.
 */
export function isMailboxOfGoogle({ hd }: Claims, address: string): boolean {
  const domain = domainOf(address);
  return domain === 'gmail.com' || domain === 'googlemail.com' || domain === hd;
}

/** Whether an address is of Apple's own domains, or one that it relays. */
export const isMailboxOfApple = (address: string): boolean =>
  /@(?:icloud\.com|me\.com|mac\.com|privaterelay\.appleid\.com)$/i.test(address);

/** The name in claims; undefined if nothing is left of it. */
export function nameFrom({ given_name, family_name, name }: Claims): Identity['name'] {
  const found = {
    ...named('given_name', given_name),
    ...named('family_name', family_name),
    ...named('formatted', name),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

/** A name as one line, cut to the limit of the profile. Empty if nothing is left. */
function named<K extends string>(key: K, value: unknown): { [N in K]?: string } {
  if (typeof value !== 'string') return {};
  const line = value
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .slice(0, limits.name)
    // Half of a surrogate pair that was cut.
    .replace(/\p{Cs}$/u, '');
  return (line === '' ? {} : { [key]: line }) as { [N in K]?: string };
}
