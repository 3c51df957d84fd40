import { useEffect, useRef } from 'react';
import { firstIn } from './form.ts';
import { pageOf } from './page.ts';

/**
 * Moves the focus, if it is lost because the pressed button is gone, to the first field of the content that replaces
 * it, or to the text of that content.
 *
 * @param view what is shown; undefined before there is anything
 * @returns the ref of the element that shows it
 */
export function useFocusKept(view: string | undefined): { current: unknown } {
  const root = useRef<unknown>(null);
  const previous = useRef(view);
  useEffect(() => {
    if (previous.current !== undefined && previous.current !== view && isFocusLost())
      firstIn(root.current, 'input, [tabindex]')?.focus();
    previous.current = view;
  }, [view]);
  return root;
}

/** Whether what had the focus is gone. */
export function isFocusLost(): boolean {
  const { body, activeElement } = pageOf().document;
  return activeElement === body || activeElement === null;
}
