import { createElement, type ReactNode } from 'react';
import type { Part } from './style.ts';

/** A section of an account, with its heading. */
export const section = (part: Part, title: string, ...content: ReactNode[]): ReactNode =>
  createElement(
    'section',
    { ...part('section', 'root'), 'aria-label': title },
    createElement('h2', part('heading'), title),
    ...content,
  );
