// The package's entry `./react`: its public names, and nothing else.
export {
  type ListHook,
  type MembersInput,
  type MembersPage,
  useMembers,
  useWorkspaces,
} from './react-data.ts';
export {
  type ActiveWorkspace,
  type ActiveWorkspaceHook,
  useActiveWorkspace,
} from './react-active-workspace.ts';
export { type CanHook, useCan } from './react-can.ts';
export { AcceptInvitation, type AcceptInvitationProps } from './react-invitation.ts';
export { type MetadataHook, useMetadata } from './react-metadata.ts';
export { MemberTable, type MemberTableProps } from './react-members.ts';
export { AuthProvider, useAuth, useSession, useUser } from './react-session.ts';
export { type IdentityProvider, SignIn, type SignInProps } from './react-sign-in.ts';
export type { Session } from './react-store.ts';
export { german } from './react-texts-de.ts';
export { english, type Texts } from './react-texts.ts';
export { UserButton } from './react-user-button.ts';
export { WorkspaceSwitcher, type WorkspaceSwitcherProps } from './react-workspaces.ts';
