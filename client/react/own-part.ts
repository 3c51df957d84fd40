import { type ComponentType, createElement, type ReactNode } from 'react';
import { useSession } from './session.ts';
import { type Look, type Part, partOf } from './style.ts';

/** A part for the signed-in user. When the user changes, its state, such as a failure, is discarded. */
export function useOwnPart<Props extends object>(
  Shown: ComponentType<Props & { part: Part }>,
  props: Props,
  look: Look,
): ReactNode {
  const { uid } = useSession();
  return uid ? createElement(Shown, { ...props, key: uid, part: partOf(look) }) : null;
}
