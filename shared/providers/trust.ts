import type { SignInProvider } from '../access/projects.ts';
import {
  type Claims,
  isMailboxOfApple,
  isMailboxOfGoogle,
  saysVerified,
} from '../identity/identities/identity-claims.ts';
import { type PresetName, personalTenant } from '../model/provider-presets.ts';

/**
 * Whose word on an e-mail counts, and for how much. `now`: also that it is the person's today. A provider that has
 * mailed a link to an address once does not know that: a previous owner of the mailbox would share the user with its
 * owner.
 */
type Worth = (
  claims: Claims,
  address: string,
  provider: SignInProvider,
) => { verified: boolean; now: boolean };

/** Of a provider that gives the addresses itself, or that the operator has set up. */
const asSaid: Worth = (claims) => ({ verified: saysVerified(claims), now: true });
const once: Worth = (claims) => ({ verified: saysVerified(claims), now: false });
/** Of one that has installations of others: the operator answers for their own, and not for the public ones. */
const ofInstallation: Worth = (claims, _, { issuer }) => ({
  verified: saysVerified(claims),
  now: issuer !== undefined && !publicHost.test(new URL(issuer).hostname),
});
const publicHost = /(?:^|\.)git(?:hub|lab)\.com\.?$/;

const worth: Record<PresetName, Worth> = {
  google: (claims, address) => ({
    verified: saysVerified(claims),
    now: isMailboxOfGoogle(claims, address),
  }),
  microsoft: (claims) => ({ verified: isDomainOfTenant(claims), now: true }),
  apple: (claims, address) => ({ verified: saysVerified(claims), now: isMailboxOfApple(address) }),
  // The primary address that GitHub has verified: `profiles.ts` reads no other.
  github: ofInstallation,
  gitlab: ofInstallation,
  linkedin: once,
  discord: once,
  slack: once,
  // It does not say whether it has verified an address.
  facebook: () => ({ verified: false, now: false }),
  oidc: asSaid,
};

/**
 * Any administrator of any tenant of Microsoft can give a user any e-mail (nOAuth). `xms_edov` says that the tenant
 * owns the domain of the address; not of guests, whose address is of another tenant, nor of personal accounts. Without
 * `acct` nobody knows who is a guest.
 */
function isDomainOfTenant({ xms_edov, acct, tid }: Claims): boolean {
  const owned = [true, 1, '1', 'true'].some((yes) => yes === xms_edov);
  const isMember = acct === 0 || acct === '0';
  return owned && isMember && tid !== personalTenant;
}

/** What a provider's word on the e-mail in its claims is worth. */
export const proofOf = (provider: SignInProvider) => (claims: Claims, address: string) => {
  const { preset, email_trusted = true } = provider;
  const { verified, now } = worth[preset](claims, address, provider);
  const email_verified = verified && email_trusted;
  return { email_verified, email_current: email_verified && now };
};
