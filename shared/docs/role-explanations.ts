/** Cause and remedy of the errors of roles and permissions that are in use. */
export const roleExplanations = {
  role_in_use: {
    cause:
      'Members, open invitations or valid join links have the role (`member_count` is their number, and `member_count_is_at_least` is true if there may be more), or other roles inherit from it (`inherited_by`).',
    remedy:
      'Give the members another role, revoke the invitations and links, then delete the role.',
  },
  permission_in_use: {
    cause: 'Roles of the project hold the permission; `roles` names them.',
    remedy: 'Remove the permission from these roles, then delete the permission.',
  },
};
