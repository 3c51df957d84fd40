import { members } from '#shared/contract/members.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { fieldsOf, replaced } from '#shared/metadata/stored.ts';
import { expectedMember } from '#shared/workspaces/members/members.ts';
import { toMember } from '#shared/workspaces/views.ts';
import { changeMemberMetadata, requireMember } from '#shared/workspaces/workspace-metadata.ts';

export const handler = endpoint(
  members.setMetadata,
  async ({ params, body, caller, match, now }) => {
    const { workspace_id, user_id } = params;
    const member = await requireMember(caller.project_id, workspace_id, user_id);
    match?.(expectedMember(member), toMember(member));
    return changeMemberMetadata(member, replaced(fieldsOf(member), body), now).as(toMember);
  },
);
