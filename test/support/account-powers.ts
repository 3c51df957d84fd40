import type { Access, Grant, Partition } from '../../lib/grant.ts';

/** The parts of an account and the partitions that store them. IAM cannot separate items within one partition. */
export const accountParts = {
  /** The password hash, the sessions, and the profile with the e-mail and whether it is verified. */
  'Passwords, sessions, profiles': ['users'],
  /** Maps an e-mail to its account. */
  'E-mails': ['emails'],
  /** Maps an account at a provider to the user, and redirect sign-ins in progress. */
  Identities: ['identities', 'providerCodes'],
  /** The tokens and codes that verify a mailbox, and the mails that carry them. */
  'Mailed proofs': ['codes', 'signInLinks', 'tokens', 'mails'],
  /** Memberships with their roles, invitations, owners, domains and join links. */
  Memberships: ['workspaces'],
  /** Trust anchors: public keys, and the digests of projects' secrets. */
  'Keys and secrets': ['keys', 'projects'],
} as const satisfies Record<string, readonly Partition[]>;
export type AccountPart = keyof typeof accountParts;

export type Power = 'read' | 'write' | 'delete';

/** What an attacker with these rights can do to items of a partition whose keys they know. */
export function powersOver(access: Access, partition: Partition): Power[] {
  const may = (...verbs: (keyof Access)[]) =>
    verbs.some((verb) => access[verb]?.includes(partition));
  return [
    // A ConditionCheck reveals whether a condition holds, and so the whole item bit by bit.
    ...(may('get', 'query', 'check') ? (['read'] as const) : []),
    // An update creates a missing item.
    ...(may('put', 'update', 'batch') ? (['write'] as const) : []),
    ...(may('delete', 'batch') ? (['delete'] as const) : []),
  ];
}

/** What an attacker who runs code in a function can do to each part of any account that they know. */
export function powersOf(grant: Grant): Record<AccountPart, Power[]> {
  const over = (part: AccountPart) =>
    (['read', 'write', 'delete'] as const).filter(
      (power) =>
        // Public keys are public, and the digest of a secret reveals nothing.
        !(part === 'Keys and secrets' && power === 'read') &&
        accountParts[part].some((partition) => powersOver(grant, partition).includes(power)),
    );
  return Object.fromEntries(
    (Object.keys(accountParts) as AccountPart[]).map((part) => [part, over(part)]),
  ) as Record<AccountPart, Power[]>;
}

/** Parts of an account that let a writer sign in as its user, or issue tokens for them. */
const leadingIn: readonly AccountPart[] = [
  'Passwords, sessions, profiles',
  'Identities',
  'Mailed proofs',
  'Keys and secrets',
];

/** Whether an attacker who runs code in a function can act as any user whose uid or e-mail they know. */
export function canBeOthers(grant: Grant): boolean {
  const powers = powersOf(grant);
  return (
    grant.secrets?.signing !== undefined ||
    grant.secrets?.mail !== undefined ||
    leadingIn.some((part) => powers[part].includes('write'))
  );
}
