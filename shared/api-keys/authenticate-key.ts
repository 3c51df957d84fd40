import type { KeyKind } from '../access/api-key-text.ts';
import { readAuthorization } from '../access/authorization-header.ts';
import type { KeyCaller } from '../access/caller.ts';
import { getProjectWith } from '../access/projects.ts';
import { ApiError } from '../model/errors.ts';
import { countKeyRequest } from './key-rate-limit.ts';
import { recordKeyUse } from './key-use.ts';
import { findLiveKey } from './live-key.ts';

/** Maximum length of the header in characters; longer ones are rejected unread. */
const maxLength = 200;

/**
 * Authenticates the caller by an API key of one of these kinds, with strong consistency: a revoked key is refused at
 * its next request. Throws `unauthenticated`.
 */
export async function authenticateKey(
  kinds: readonly KeyKind[],
  authorization: string | undefined,
  now: Date,
): Promise<KeyCaller> {
  const header = readAuthorization(authorization, maxLength);
  const found = header && (await findLiveKey(header.credential, kinds, now));
  if (!found) throw refused();
  const { key, owner, second_factor } = found;
  const { project_id, key_id, permissions, role, generation } = key;
  const project = await getProjectWith(project_id);
  if (!project) throw refused();
  const retryAfter = await countKeyRequest(project, found, now);
  if (retryAfter !== undefined)
    throw new ApiError('too_many_requests', {
      retryAfter,
      detail: 'Too many requests with this API key',
    });
  recordKeyUse(found, now);
  const caller = { project_id, project };
  const used = { key_id, permissions, second_factor };
  return owner.kind === 'user'
    ? { kind: 'person', uid: owner.id, ...caller, key: used }
    : {
        ...{ kind: 'workspace', workspace_id: owner.id, role: role ?? 'member', ...caller },
        key: { ...used, generation },
      };
}

const refused = () => new ApiError('unauthenticated', { reason: 'no valid API key for this' });
