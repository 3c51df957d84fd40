import type { SignInProvider } from '../access/projects.ts';
import { type Claims, isMailboxOfGoogle, saysVerified } from '../identity/identity-claims.ts';
import { personalTenant, type PresetName } from '../model/provider-presets.ts';

/** Whose word on an e-mail counts, and for how much. `now`: also that it is the person's today. */
type Worth = (claims: Claims, address: string) => { verified: boolean; now: boolean };

const asSaid: Worth = (claims) => ({ verified: saysVerified(claims), now: true });

const worth: Record<PresetName, Worth> = {
  google: (claims, address) => ({
    verified: saysVerified(claims),
    now: isMailboxOfGoogle(claims, address),
  }),
  microsoft: (claims) => ({ verified: isDomainOfTenant(claims), now: true }),
  apple: asSaid,
  // The primary address that GitHub has verified: `profiles.ts` reads no other.
  github: asSaid,
  gitlab: asSaid,
  linkedin: asSaid,
  discord: asSaid,
  slack: asSaid,
  // It does not say whether it has verified an address.
  facebook: () => ({ verified: false, now: false }),
  // The operator has configured it.
  oidc: asSaid,
};

/**
 * Any administrator of any tenant of Microsoft can give a user any e-mail (nOAuth). `xms_edov` says that the tenant owns
 * the domain of the address; not of guests (`acct`), whose address is of another tenant, nor of personal accounts.
 */
function isDomainOfTenant({ xms_edov, acct, tid }: Claims): boolean {
  const owned = [true, 1, '1', 'true'].some((yes) => yes === xms_edov);
  const isGuest = acct !== undefined && acct !== 0 && acct !== '0';
  return owned && !isGuest && tid !== personalTenant;
}

/** What a provider's word on the e-mail in its claims is worth. */
export const proofOf =
  ({ preset, email_trusted = true }: SignInProvider) =>
  (claims: Claims, address: string) => {
    const { verified, now } = worth[preset](claims, address);
    const email_verified = verified && email_trusted;
    return { email_verified, email_current: email_verified && now };
  };
