import type { ReactNode } from 'react';
import { later } from './later.ts';
import { useOwnPart } from './own-part.ts';
import type { Look } from './style.ts';

const List = later<Look>(async () => (await import('./session-list.ts')).SessionList);

/** Where somebody is signed in, each with how to end it. All at once are ended by `<UserButton/>`. */
export function Sessions(props: Look): ReactNode {
  return useOwnPart(List, props);
}
