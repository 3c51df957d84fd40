import { createElement, Fragment, type ReactNode } from 'react';
import type { User } from '../generated/api.ts';
import { alert, button } from './form.ts';
import { type ListHook, useList } from './list-hooks.ts';
import { useProvided } from './session.ts';
import type { Part } from './style.ts';
import { wordsFor } from './texts.ts';

/** The user as they are now: what the session knows of them is as old as its last refresh. */
export const useMe = (): ListHook<User> =>
  useList<User>('me', async (api, signal) => (await api.users.getMe({}, { signal })).body);

type ListStateProps = {
  part: Part;
  list: ListHook<unknown>;
  /** What else has failed, in words: it comes first. */
  failed?: string | undefined;
};

/** That something is loading, or why it is not there, with another try. */
export function ListState({ part, list, failed }: ListStateProps): ReactNode {
  const { texts } = useProvided();
  const { data, error, refresh } = list;
  const isFailed = error !== undefined;
  return createElement(
    Fragment,
    null,
    alert(part, failed ?? (isFailed ? wordsFor(error, texts) : undefined)),
    isFailed && button(part, texts.again, { onClick: () => void refresh() }),
    !data && !isFailed && createElement('p', part('note'), texts.loading),
  );
}
