import { type ComponentType, createElement, type ReactNode } from 'react';
import { useSession } from './session.ts';
import { type Look, type Part, partOf } from './style.ts';

/** A part for the signed-in user. When the user changes, its state, such as a failure, is discarded. */
export function useOwnPart<Props extends Look>(
  Shown: ComponentType<Props & { part: Part }>,
  props: Props,
): ReactNode {
  const { uid } = useSession();
  return uid ? createElement(Shown, { ...props, key: uid, part: partOf(props) }) : null;
}
