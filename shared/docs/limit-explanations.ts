/** Cause and remedy of the errors of limits. */
export const limitExplanations = {
  role_limit_reached: {
    cause: 'The project or the workspace has the maximum number of its own roles.',
    remedy: 'Delete roles that are no longer needed.',
  },
  permission_limit_reached: {
    cause: 'The project has the maximum number of its own permissions.',
    remedy: 'Delete permissions that no role holds.',
  },
  passkey_limit_reached: {
    cause: 'A user has at most ten passkeys.',
    remedy: 'Delete a passkey that is no longer used.',
  },
  member_limit_reached: {
    cause: 'The workspace has the maximum number of members.',
    remedy: 'Remove members, or use another workspace.',
  },
  invitation_limit_reached: {
    cause: 'The workspace has the maximum number of open invitations.',
    remedy: 'Revoke invitations, or wait until some are accepted or have expired.',
  },
  workspace_limit_reached: {
    cause: 'The user is a member of the maximum number of workspaces.',
    remedy: 'Leave a workspace first.',
  },
  owned_workspace_limit_reached: {
    cause: 'The user owns the maximum number of workspaces.',
    remedy: 'Transfer or delete one first.',
  },
  join_link_limit_reached: {
    cause: 'The workspace has the maximum number of valid join links.',
    remedy: 'Revoke one first.',
  },
  join_request_limit_reached: {
    cause: 'The workspace has the maximum number of open join requests.',
    remedy: 'Approve or refuse some of them first.',
  },
  api_key_limit_reached: {
    cause: 'A user, and a workspace, has at most 20 API keys that have not expired.',
    remedy: 'Revoke a key that is no longer used; the list shows when each key was last used.',
  },
  webhook_limit_reached: {
    cause: 'The project has the maximum number of webhooks.',
    remedy: 'Delete one first.',
  },
  too_many_requests: {
    cause:
      'The request exceeds a rate limit of the caller (such as 300 changes a minute for a user), the account, the network or the project. `detail` names the limit.',
    remedy: 'Wait for the seconds in `Retry-After`.',
  },
  content_too_large: {
    cause:
      'The body has more bytes than the endpoint accepts, or the response is too large to store for the Idempotency-Key.',
    remedy: 'Split the request into several smaller ones.',
  },
};
