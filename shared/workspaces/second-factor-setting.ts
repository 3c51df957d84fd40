import type { Person, ProjectCaller, WorkspaceKeyCaller } from '../access/caller.ts';
import { getProject, type Project } from '../access/projects.ts';
import { ApiError, invalidField } from '../model/errors.ts';
import { lifetimes } from '../model/limits.ts';
import type { WorkspaceItem } from './items.ts';
import type { Standing } from './policy.ts';
import { isCallerSingleFactor } from './second-factor.ts';

const day = 86_400_000;

/** What a request says of the second factor of members. */
type Given = { require_mfa?: boolean | undefined; mfa_grace_days?: number | undefined };

/**
 * From when on members need a second factor, if a request changes that: `""` for not at all, undefined for no change.
 * Only the owner, in a session with one, and the backend may change it: nobody locks themselves out, or others. Throws
 * `invalid_request`, `forbidden` or `mfa_required`.
 *
 * @param at what the caller is, and the workspace unless it is a new one
 */
export async function changedMfa(
  caller: ProjectCaller | Person | WorkspaceKeyCaller,
  { workspace, standing }: { workspace?: WorkspaceItem; standing: Standing },
  { require_mfa, mfa_grace_days }: Given,
  now: Date,
): Promise<string | undefined> {
  const before = workspace?.mfa_required_at;
  if (require_mfa !== true && mfa_grace_days !== undefined)
    throw invalidField('/body/mfa_grace_days', 'Only together with require_mfa: true');
  // Sent back as it was read.
  const isSame = require_mfa === (before !== undefined) && mfa_grace_days === undefined;
  if (require_mfa === undefined || isSame) return undefined;
  if (caller.kind !== 'project' && (caller.key || standing !== 'owner'))
    throw new ApiError('forbidden', {
      detail:
        'Only the owner, in a session, and the backend may change whether members need a second factor',
    });
  if (!require_mfa) return '';
  const { project, project_id } = caller;
  // It may have been turned on since this instance has read the project.
  if (
    !offersSecondFactor(project) &&
    !offersSecondFactor(await getProject(project_id, lifetimes.projectReread))
  )
    throw invalidField(
      '/body/require_mfa',
      'The project has neither passkeys nor authenticator apps',
    );
  if (await isCallerSingleFactor(caller)) throw new ApiError('mfa_required');
  return new Date(now.getTime() + (mfa_grace_days ?? 0) * day).toISOString();
}

const offersSecondFactor = (project: Project | undefined): boolean =>
  project?.passkeys === true || (project?.mfa ?? 'off') !== 'off';
