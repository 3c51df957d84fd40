import { members } from '#shared/contract/members.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { fieldsOf, patched } from '#shared/metadata/stored.ts';
import { limits } from '#shared/model/limits.ts';
import { expectedMember } from '#shared/workspaces/members/members.ts';
import { toMember } from '#shared/workspaces/views.ts';
import { changeMemberMetadata, requireMember } from '#shared/workspaces/workspace-metadata.ts';

export const handler = endpoint(
  members.mergeMetadata,
  async ({ params, body, caller, match, now }) => {
    const { workspace_id, user_id } = params;
    const member = await requireMember(caller.project_id, workspace_id, user_id);
    match?.(expectedMember(member), toMember(member));
    const after = patched(fieldsOf(member), body, limits.memberMetadata);
    return changeMemberMetadata(member, after, now).as(toMember);
  },
);
