import type { ReactNode } from 'react';
import type { Providers } from '../providers.ts';
import { later } from './later.ts';
import { useOwnPart } from './own-part.ts';
import type { Look } from './style.ts';

export type ProfileParts = {
  /** What the project has. By default what it says in public; one without hosted pages says nothing: then all. */
  methods?: readonly ('password' | 'app' | 'passkey')[] | undefined;
  /** As of `<LinkedAccounts/>`, which is shown with it alone. */
  providers?: Providers | undefined;
};
export type UserProfileProps = Look & ProfileParts;

const Profile = later<UserProfileProps>(async () => (await import('./profile.ts')).Profile);

/**
 * The account of the signed-in user: their name, e-mail and password, what else they sign in with, and where they are
 * signed in.
 */
export function UserProfile(props: UserProfileProps): ReactNode {
  return useOwnPart(Profile, props);
}
