import type { PersonCaller, VerifiedCaller } from '../access/caller.ts';
import { findLiveSession } from '../access/live-session.ts';
import { getProject, type Project } from '../access/projects.ts';
import { requireRecentSignIn } from '../access/recent-sign-in.ts';
import { consumeRateLimit } from '../db/rate-limits.ts';
import { ApiError, invalidField } from '../model/errors.ts';
import { lifetimes } from '../model/limits.ts';
import type { Principal } from '../roles/principal.ts';
import type { WorkspaceItem } from './items.ts';

const day = 86_400_000;

/** What a request says of the second factor of members. */
type SecondFactorInput = { require_mfa?: boolean | undefined; mfa_grace_days?: number | undefined };

/** The workspace, unless it is a new one, and what the caller is there. */
type At = {
  workspace?: WorkspaceItem;
  principal: Pick<Principal, 'standing'> | undefined;
  singleFactor: boolean;
};

/**
 * The new `mfa_required_at` of a workspace, `""` for none; undefined if a request does not change it. Only the owner,
 * in a session of two factors, and the backend may: nobody locks themselves out, or lets a stolen session in. Throws
 * `invalid_request`, `forbidden`, `mfa_required`, `reauthentication_required` or `too_many_requests`.
 */
export async function changedMfa(
  caller: VerifiedCaller,
  { workspace, principal, singleFactor }: At,
  { require_mfa, mfa_grace_days }: SecondFactorInput,
  now: Date,
): Promise<string | undefined> {
  const before = workspace?.mfa_required_at;
  if (require_mfa !== true && mfa_grace_days !== undefined)
    throw invalidField('/body/mfa_grace_days', 'Only together with require_mfa: true');
  // Sent back as it was read.
  const isSame = require_mfa === (before !== undefined) && mfa_grace_days === undefined;
  if (require_mfa === undefined || isSame) return undefined;
  const isOwner =
    caller.kind === 'person' &&
    !caller.key &&
    caller.impersonator === undefined &&
    principal?.standing === 'owner';
  if (caller.kind !== 'project' && !isOwner)
    throw new ApiError('forbidden', {
      detail:
        'Only the owner, in a session, and the backend may change whether members need a second factor',
    });
  if (singleFactor) throw new ApiError('mfa_required');
  if (isOwner) await requireRecent(caller, now);
  if (!require_mfa) return '';
  await requireOffered(caller);
  if (workspace && isOwner)
    await consumeRateLimit('secondFactorDemands', workspace.workspace_id, now);
  return new Date(now.getTime() + (mfa_grace_days ?? 0) * day).toISOString();
}

/** Throws `reauthentication_required` to a person who has not signed in of late, where the project wants that. */
async function requireRecent(caller: PersonCaller, now: Date): Promise<void> {
  if (!caller.project.recent_sign_in) return;
  const session = await findLiveSession(caller, now);
  if (session) requireRecentSignIn(session, now);
}

/** Throws `invalid_request` if no user of the project could have a second factor. */
async function requireOffered({ project, project_id }: { project: Project; project_id: string }) {
  if (offersSecondFactor(project)) return;
  // It may have been turned on since this instance has read the project.
  if (offersSecondFactor(await getProject(project_id, lifetimes.projectReread))) return;
  throw invalidField(
    '/body/require_mfa',
    'The project has neither passkeys nor authenticator apps',
  );
}

const offersSecondFactor = (project: Project | undefined): boolean =>
  project?.passkeys === true || (project?.mfa ?? 'off') !== 'off';
