import { type ComponentType, createElement, type FC } from 'react';
import { useSession } from './session.ts';
import { type Look, type Part, partOf } from './style.ts';

/** A component for the signed-in user. When the user changes, its state, such as a failure, is discarded. */
export const ownPart =
  <Props extends object>(Shown: ComponentType<Props & { part: Part }>): FC<Props & Look> =>
  (props) => {
    const { uid } = useSession();
    return uid ? createElement(Shown, { ...props, key: uid, part: partOf(props) }) : null;
  };
