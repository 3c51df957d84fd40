import * as z from 'zod';
import { emailDomain } from '../model/email.ts';
import { filledLine, httpsUrlOrEmpty, text, timestamp, uid } from '../model/fields.ts';
import { limits } from '../model/limits.ts';
import { workspace } from '../model/workspace-resources.ts';
import { readOnlyField } from './read-only.ts';

export const workspaceName = filledLine(limits.name);
export const description = text(limits.description);
export const logo = httpsUrlOrEmpty.nullable();

export const allowed_domains = z
  .array(emailDomain)
  .max(limits.allowedDomains)
  .refine((all) => new Set(all).size === all.length, 'Must not contain duplicate domains')
  .meta({
    description: 'A user may add only the domain of their own verified e-mail, matched exactly.',
  });

export const require_mfa = z.boolean().optional().meta({
  description:
    'Whether members need a second factor or a passkey. Only the backend can change it, and the owner in a session with a second factor or a passkey.',
});
export const mfa_grace_days = z.int().min(0).max(limits.mfaGraceDays).optional().meta({
  description:
    'Days from now until members need it; default 0. Without this field, an existing time does not change.',
});

const { shape } = workspace;
/** Fields of a workspace that `workspaces.update` does not change; `logo_url` is changed with `logo`. */
export const readOnlyWorkspaceFields = {
  workspace_id: readOnlyField(shape.workspace_id),
  project_id: readOnlyField(shape.project_id),
  invitation_url: readOnlyField(shape.invitation_url),
  logo_url: readOnlyField(z.string()),
  owner_id: readOnlyField(shape.owner_id),
  owner_email: readOnlyField(shape.owner_email),
  created_at: readOnlyField(shape.created_at),
  modified_at: readOnlyField(shape.modified_at),
  allowed_domains: readOnlyField(shape.allowed_domains),
  total_member_count: readOnlyField(shape.total_member_count.min(1)),
  ownership_offered_to: readOnlyField(uid),
  mfa_required_at: readOnlyField(timestamp),
};
