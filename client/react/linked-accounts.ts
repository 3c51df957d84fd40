import type { ReactNode } from 'react';
import type { Providers } from '../providers.ts';
import { later } from './later.ts';
import { useOwnPart } from './own-part.ts';
import type { Look } from './style.ts';

type OwnProviders = {
  /**
   * Of `createProviders`, whose return URL is the page that shows this. The session must outlast the way to the
   * provider: in memory alone it does not.
   */
  providers: Providers;
};
export type LinkedAccountsProps = Look & OwnProviders;

const List = later<LinkedAccountsProps>(
  async () => (await import('./account-list.ts')).AccountList,
);

/**
 * The signed-in user's accounts at identity providers, and a button for each that could be linked. On the page of the
 * return URL it also completes a link.
 */
export function LinkedAccounts(props: LinkedAccountsProps): ReactNode {
  return useOwnPart(List, props);
}
