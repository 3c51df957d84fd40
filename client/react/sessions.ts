import { createElement, type ReactNode } from 'react';
import { later } from './later.ts';
import { useSession } from './session.ts';
import { type Look, partOf } from './style.ts';

const SessionList = later(async () => (await import('./session-list.ts')).SessionList);

/** Where somebody is signed in, each with how to end it. All at once are ended by `<UserButton/>`. */
export function Sessions(look: Look): ReactNode {
  const { uid } = useSession();
  const part = partOf(look);
  return uid === undefined ? null : createElement(SessionList, { key: uid, part });
}
