import { t } from '../../texts.ts';

/** What a role is called: one that the project defines, as it is defined. */
export const roleName = (role: string): string =>
  role === 'owner' || role === 'admin' || role === 'member' ? t(role) : role;
