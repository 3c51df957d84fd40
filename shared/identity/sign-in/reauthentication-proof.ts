import type { SecondFactor } from '../../access/live-session.ts';
import type { Project } from '../../access/projects.ts';
import type { Assertion } from '../../contract/passkeys.ts';
import { update, type Write } from '../../db/change.ts';
import { keys } from '../../db/keys.ts';
import { requireMfa } from '../../factors/enrol.ts';
import { getFactorKey, recoveryCodeUsed } from '../../factors/factors.ts';
import { proveFactor } from '../../factors/prove.ts';
import { noticeTo } from '../../mail/mails.ts';
import { ApiError, invalidField } from '../../model/errors.ts';
import type { EventDraft } from '../../model/events.ts';
import { requirePasskeys } from '../../passkeys/options.ts';
import { passkeyMethod } from '../../passkeys/passkeys.ts';
import { usePasskey, verifyPasskey } from '../../passkeys/sign-in.ts';
import { getPassword } from '../passwords/passwords.ts';
import type { UserItem } from '../users/users.ts';
import { isAskedForFactor } from './first-factor.ts';
import { reauthenticateByPassword } from './reauthenticate.ts';

/** What proves who a user is. Exactly one is given. */
export type Proofs = {
  password?: string | undefined;
  code?: string | undefined;
  recovery_code?: string | undefined;
  passkey?: Assertion | undefined;
};

const kinds = ['password', 'code', 'recovery_code', 'passkey'] as const;
type Kind = (typeof kinds)[number];

/** As in the method of a session, or what was shown after a first factor. */
const methods = {
  password: 'idpw',
  code: 'totp',
  recovery_code: 'recovery_code',
  passkey: passkeyMethod,
} as const satisfies Record<Kind, string>;

/** The kind of the proof that is given. Throws `invalid_request` unless it is one. */
function requireOne(proofs: Proofs): Kind {
  const found = kinds.filter((kind) => proofs[kind] !== undefined);
  const [only] = found;
  if (found.length === 1 && only) return only;
  const wrong = found.length === 0 ? kinds : found;
  const detail = `Must have exactly one of ${kinds.join(', ')}`;
  throw new ApiError('invalid_request', {
    errors: wrong.map((kind) => ({ pointer: `/body/${kind}`, detail })),
  });
}

/** What a right proof changes: it is only used up in a transaction that has the writes. */
type Used = { writes: Record<string, Write>; events?: readonly EventDraft[] };

/** A reauthentication whose proof is right, and what uses the proof up. */
export type Reauthentication = Required<Used> & { method: string; second_factor?: SecondFactor };

/**
 * Prepares the reauthentication of a user who has a session, by what they have beside their mailbox. A user who is asked
 * for a second factor, and has one, must show it or a passkey: a stolen session and the password would get round it.
 * Guesses are counted as at a sign-in. Throws `invalid_request`, `sign_in_method_disabled`, `invalid_credentials`,
 * `not_found` without the factor, `too_many_requests`, `password_locked` or `factor_locked`.
 */
export function prepareReauthentication(
  project: Project,
  user: UserItem,
  proofs: Proofs,
  now: Date,
) {
  const kind = requireOne(proofs);
  const method = methods[kind];
  requireEnabled(project, kind);
  if (method === 'idpw' && user.factor_method !== undefined && isAskedForFactor(project, user))
    throw invalidField(
      '/body/password',
      'Must be code, recovery_code or passkey instead, because the user has a second factor',
    );
  return {
    method,
    async prove(): Promise<Reauthentication> {
      const { writes, events = [] } = await use(project, user, proofs, now);
      return { method, writes, events, ...(method !== 'idpw' && { second_factor: method }) };
    },
  };
}

/** Throws `sign_in_method_disabled` where nobody of the project signs in so. */
function requireEnabled(project: Project, kind: Kind): void {
  if (kind === 'passkey') return requirePasskeys(project);
  if (kind !== 'password') return requireMfa(project);
  if (!project.password_sign_in) throw new ApiError('sign_in_method_disabled');
}

async function use(project: Project, user: UserItem, proofs: Proofs, now: Date): Promise<Used> {
  if (proofs.password !== undefined) return usePassword(user, proofs.password, now);
  if (proofs.passkey) return useOwnPasskey(project, user, proofs.passkey, now);
  return useFactor(user, proofs, now);
}

async function usePassword(user: UserItem, password: string, now: Date): Promise<Used> {
  await reauthenticateByPassword(user, await getPassword(user.uid), password, now);
  return { writes: {} };
}

async function useFactor(
  user: UserItem,
  { code, recovery_code }: Proofs,
  now: Date,
): Promise<Used> {
  const key = await getFactorKey();
  const proof = await proveFactor(user.uid, { code, recovery_code }, key, now);
  const factor = update(keys.factor(user.uid), proof.changes, proof.condition);
  if (!proof.recovered) return { writes: { factor } };
  const notice = noticeTo(user, 'recovery_code_used', {}, now);
  return { writes: { factor, ...notice }, events: [recoveryCodeUsed] };
}

/** A challenge of a sign-in is good: who has the answer to it could sign in as well. */
async function useOwnPasskey(
  project: Project,
  user: UserItem,
  assertion: Assertion,
  now: Date,
): Promise<Used> {
  const proof = await verifyPasskey(project, assertion, now);
  if (proof.passkey.uid !== user.uid)
    throw new ApiError('invalid_credentials', { reason: 'a passkey of somebody else' });
  return usePasskey(proof, now);
}
