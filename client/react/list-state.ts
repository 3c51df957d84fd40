import { createElement, type ReactNode } from 'react';
import { alert, button } from './form.ts';
import type { ListHook } from './list-hooks.ts';
import type { Part } from './style.ts';
import { type Texts, wordsFor } from './texts.ts';

/**
 * That something is loading, or why it is not there, with another try.
 * @param failed what else has failed, in words: it comes first
 */
export const listState = (
  part: Part,
  texts: Texts,
  { data, error, refresh }: ListHook<unknown>,
  failed?: string,
): ReactNode[] => [
  alert(part, failed ?? (error === undefined ? undefined : wordsFor(error, texts))),
  error === undefined
    ? !data && createElement('p', part('note'), texts.loading)
    : button(part, texts.again, { onClick: refresh }),
];
