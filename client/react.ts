// The package's entry `./react`: its public names, and nothing else.
export type { PageAuth } from './auth.ts';
export type { Call, CallOptions, Result } from './call.ts';
export {
  type ActiveWorkspace,
  type ActiveWorkspaceHook,
  useActiveWorkspace,
} from './react/active-workspace.ts';
export { type CanHook, useCan } from './react/can.ts';
export { AcceptInvitation, type AcceptInvitationProps } from './react/invitation.ts';
export { LinkedAccounts, type LinkedAccountsProps } from './react/linked-accounts.ts';
export {
  type ListHook,
  type MembersInput,
  type MembersPage,
  useMembers,
  useWorkspaces,
} from './react/list-hooks.ts';
export { MemberTable, type MemberTableProps } from './react/members.ts';
export { type MetadataHook, useMetadata } from './react/metadata.ts';
export { AuthProvider, type AuthProviderProps } from './react/provider.ts';
export { useReauthentication } from './react/reauthentication.ts';
export { SecondFactor, type SecondFactorProps } from './react/second-factor.ts';
export { useAuth, useSession, useUser } from './react/session.ts';
export { Sessions } from './react/sessions.ts';
export { SignIn } from './react/sign-in.ts';
export type { IdentityProvider, SignInProps } from './react/sign-in-props.ts';
export type { Session } from './react/store.ts';
export { english, type Texts } from './react/texts.ts';
export { german } from './react/texts-de.ts';
export { spanish } from './react/texts-es.ts';
export { french } from './react/texts-fr.ts';
export type { StrongTexts } from './react/texts-strong.ts';
export { UserButton } from './react/user-button.ts';
export { UserProfile, type UserProfileProps } from './react/user-profile.ts';
export { WorkspaceSwitcher, type WorkspaceSwitcherProps } from './react/workspaces.ts';
