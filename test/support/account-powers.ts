import type { Access, Grant, Partition } from '../../lib/grant.ts';

/** What an account consists of, and the partitions where it lies. IAM cannot tell apart what is in one partition. */
export const accountParts = {
  /** The password's hash, the sessions, the profile with the e-mail, and whether that is proven. */
  'Passwords, sessions, profiles': ['users'],
  /** Which account an e-mail leads to. */
  'E-mails': ['emails'],
  /** Which account an account at a provider leads to, and who has signed in there. */
  Identities: ['identities', 'providerCodes'],
  /** What a mailbox is proven by, and where it is mailed. */
  'Mailed proofs': ['codes', 'signInLinks', 'tokens', 'mails'],
  /** Memberships with their roles, invitations, owners, domains and join links. */
  Memberships: ['workspaces'],
  /** Who is believed: public keys, and the digests of projects' secrets. */
  'Keys and secrets': ['keys', 'projects'],
} as const satisfies Record<string, readonly Partition[]>;
export type AccountPart = keyof typeof accountParts;

export type Power = 'read' | 'write' | 'delete';

/** What whoever has these rights could do to the items of a partition of which they know the keys. */
export function powersOver(access: Access, partition: Partition): Power[] {
  const may = (...verbs: (keyof Access)[]) =>
    verbs.some((verb) => access[verb]?.includes(partition));
  return [
    // A check says of a condition whether it holds, and so tells the whole item bit by bit.
    ...(may('get', 'query', 'check') ? (['read'] as const) : []),
    // An update makes an item where there is none.
    ...(may('put', 'update', 'batch') ? (['write'] as const) : []),
    ...(may('delete', 'batch') ? (['delete'] as const) : []),
  ];
}

/** What whoever runs code in a function could do to each part of any account that they know of. */
export function powersOf(grant: Grant): Record<AccountPart, Power[]> {
  const over = (part: AccountPart) =>
    (['read', 'write', 'delete'] as const).filter(
      (power) =>
        // Everybody may read the public keys; of a secret its digest tells nothing.
        !(part === 'Keys and secrets' && power === 'read') &&
        accountParts[part].some((partition) => powersOver(grant, partition).includes(power)),
    );
  return Object.fromEntries(
    (Object.keys(accountParts) as AccountPart[]).map((part) => [part, over(part)]),
  ) as Record<AccountPart, Power[]>;
}

/** Parts of an account of which the writer can sign in as its user, or make tokens of theirs. */
const leadingIn: readonly AccountPart[] = [
  'Passwords, sessions, profiles',
  'Identities',
  'Mailed proofs',
  'Keys and secrets',
];

/** Whether whoever runs code in a function could be any user of whom they know the uid or e-mail. */
export function canBeOthers(grant: Grant): boolean {
  const powers = powersOf(grant);
  return (
    grant.secrets?.signing !== undefined ||
    grant.secrets?.mail !== undefined ||
    leadingIn.some((part) => powers[part].includes('write'))
  );
}
