import type { ComponentType } from 'preact';
import type { User } from '../client/generated/api.ts';
import type { Key } from './texts.ts';

/** A page. One `for: 'user'` is shown to who is signed in; anyone else signs in first, on the spot. */
export type View = {
  title: Key;
  wide?: true;
  /** Loads the texts that no other page has. */
  loadTexts?: () => Promise<unknown>;
} & (
  | { for: 'anyone'; Show: ComponentType<{ user?: User | undefined }> }
  | { for: 'user'; Show: ComponentType<{ user: User }> }
);
