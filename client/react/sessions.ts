import { later } from './later.ts';
import { ownPart } from './own-part.ts';

/** Where somebody is signed in, each with how to end it. All at once are ended by `<UserButton/>`. */
export const Sessions = ownPart(later(async () => (await import('./session-list.ts')).SessionList));
