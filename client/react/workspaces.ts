import { createElement, type ReactNode, useId } from 'react';
import type { Workspace } from '../generated/api.ts';
import { useChoice } from './choice.ts';
import { useWorkspaces } from './list-hooks.ts';
import { listState } from './list-state.ts';
import { useOwnPart } from './own-part.ts';
import { useProvided } from './session.ts';
import type { Look, Part } from './style.ts';

type Chosen = {
  /** The `workspace_id` that is chosen; undefined: none yet. */
  value: string | undefined;
  /** May return a promise, as `select` of `useActiveWorkspace`: the choice shows until that ends, and then why it failed. */
  onChange: (workspaceId: string, workspace: Workspace) => void;
};

export type WorkspaceSwitcherProps = Look & Chosen;

/** Lets the signed-in user choose one of their workspaces. */
export function WorkspaceSwitcher(props: WorkspaceSwitcherProps): ReactNode {
  return useOwnPart(Switcher, props);
}

function Switcher({ part, value, onChange }: Chosen & { part: Part }) {
  const { texts } = useProvided();
  const list = useWorkspaces();
  const { choice, words } = useChoice(list.refresh);
  const id = useId();
  const { data } = list;
  return createElement(
    'div',
    part('root'),
    ...listState(part, texts, list, words),
    data?.length === 0 && createElement('p', part('note'), texts.noWorkspaces),
    data?.[0] && createElement('label', { ...part('label'), htmlFor: id }, texts.workspace),
    data?.[0] &&
      choice(
        '',
        { ...part('select', 'input'), id },
        {
          value,
          options: data.map(({ workspace_id, name }) => [workspace_id, name]),
          choose(to) {
            const workspace = data.find(({ workspace_id }) => workspace_id === to);
            return workspace && onChange(to, workspace);
          },
        },
      ),
  );
}
