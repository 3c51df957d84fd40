import { createElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { isFocusLost } from './focus.ts';
import type { Part } from './style.ts';

/**
 * What has been done, in words that are read out. The focus goes there if what was pressed is gone, and stays with who
 * has gone on to something else.
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
    { ...part('note'), role: 'status', tabIndex: -1, ref: element as never },
    current?.text,
  );
  return { announcement, announce: (text) => setCurrent({ text }) };
}
