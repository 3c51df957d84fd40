import { createElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { isFocusLost } from './focus.ts';
import type { Part } from './style.ts';

// What is empty would be one more gap of its column.
const emptyStyle = { margin: 0, position: 'absolute' } as const;

/**
 * A text about a finished action, which screen readers read out. It gets the focus if the pressed button is gone, but
 * not if the user has moved the focus elsewhere meanwhile.
 */
export function useAnnouncement(part: Part): {
  announcement: ReactNode;
  announce: (text: string) => void;
} {
  const element = useRef<{ focus(): void }>(null);
  const [current, setCurrent] = useState<{ text: string }>();
  useEffect(() => {
    if (current && isFocusLost()) element.current?.focus();
  }, [current]);
  const announcement = createElement(
    'p',
    {
      ...part('note', current?.text ? 'note' : emptyStyle),
      role: 'status',
      tabIndex: -1,
      ref: element as never,
    },
    current?.text,
  );
  return { announcement, announce: (text) => setCurrent({ text }) };
}
