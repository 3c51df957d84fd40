import { createElement, type ReactNode, useId, useState } from 'react';
import type { Workspace } from '../generated/api.ts';
import { useAction } from './form.ts';
import { useWorkspaces } from './list-hooks.ts';
import { listState } from './list-state.ts';
import { useOwnPart } from './own-part.ts';
import { useProvided } from './session.ts';
import type { Look, Part } from './style.ts';

export type WorkspaceSwitcherProps = Look & {
  /** The `workspace_id` that is chosen; undefined: none yet. */
  value: string | undefined;
  /** May return a promise, as `select` of `useActiveWorkspace`: the choice shows until that ends, and then why it failed. */
  onChange: (workspaceId: string, workspace: Workspace) => void;
};

/** Lets who is signed in choose one of their workspaces. */
export function WorkspaceSwitcher({ value, onChange, ...look }: WorkspaceSwitcherProps): ReactNode {
  return useOwnPart(Switcher, { value, onChange }, look);
}

type SwitcherProps = Omit<WorkspaceSwitcherProps, 'className'> & { part: Part };

function Switcher({ part, value, onChange }: SwitcherProps) {
  const { texts } = useProvided();
  const list = useWorkspaces();
  const [pendingId, setPendingId] = useState<string>();
  const { run, busy, words } = useAction();
  const id = useId();

  const choice = (workspaces: Workspace[]) => {
    if (workspaces.length === 0) return [createElement('p', part('note'), texts.noWorkspaces)];
    const shownId = busy ? pendingId : value;
    const selectedId = workspaces.some(({ workspace_id }) => workspace_id === shownId)
      ? shownId
      : '';
    return [
      createElement('label', { ...part('label'), htmlFor: id }, texts.workspace),
      createElement(
        'select',
        {
          ...part('select', 'input'),
          id,
          'aria-disabled': busy ? true : undefined,
          value: selectedId,
          onChange: ({ target }: { target: unknown }) => {
            const newId = (target as { value: string }).value;
            const workspace = workspaces.find(({ workspace_id }) => workspace_id === newId);
            if (workspace)
              void run(async () => {
                setPendingId(newId);
                return onChange(newId, workspace);
              });
          },
        },
        // A choice that is none of these is shown as none: they may have been removed from it.
        selectedId === '' && createElement('option', { key: '', value: '', disabled: true }, '…'),
        workspaces.map(({ workspace_id, name }) =>
          createElement('option', { key: workspace_id, value: workspace_id }, name),
        ),
      ),
    ];
  };
  return createElement(
    'div',
    part('root'),
    ...listState(part, texts, list, words),
    ...(list.data ? choice(list.data) : []),
  );
}
