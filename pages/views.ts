import type { PageName } from '../shared/contract/pages.ts';
import type { View } from './view.ts';

/** Every page by its name in the address; each is a file that is loaded when it is shown. */
export const views: Record<PageName, () => Promise<{ view: View }>> = {
  'sign-in': () => import('./views/sign-in.tsx'),
  'sign-in-link': () => import('./views/sign-in-link.tsx'),
  'sign-up': () => import('./views/sign-up.tsx'),
  'forgotten-password': () => import('./views/forgotten-password.tsx'),
  'new-password': () => import('./views/new-password.tsx'),
  'verify-email': () => import('./views/verify-email.tsx'),
  'change-email': () => import('./views/change-email.tsx'),
  invitation: () => import('./views/invitation.tsx'),
  join: () => import('./views/join.tsx'),
  ownership: () => import('./views/ownership.tsx'),
  account: () => import('./views/account.tsx'),
  workspaces: () => import('./views/workspaces.tsx'),
  members: () => import('./views/members.tsx'),
  'api-keys': () => import('./views/api-keys.tsx'),
  roles: () => import('./views/roles.tsx'),
  'sign-out': () => import('./views/sign-out.tsx'),
  'signed-out': () => import('./views/signed-out.tsx'),
};
