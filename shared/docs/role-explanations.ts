/** Cause and remedy of the errors of roles and permissions that are in use. */
export const roleExplanations = {
  role_in_use: {
    cause:
      'Members, open invitations or live join links have the role (`member_count`, and `member_count_is_at_least` where there may be more), or other roles inherit from it (`inherited_by`).',
    remedy: 'Give the members another role and revoke the invitations and links, then delete it.',
  },
  permission_in_use: {
    cause: 'Roles of the project hold the permission; `roles` names them.',
    remedy: 'Remove the permission from these roles, then delete it.',
  },
};
