import { createElement, type ReactNode, useId } from 'react';
import type { Workspace } from '../generated/api.ts';
import { alert, button } from './form.ts';
import { useWorkspaces } from './list-hooks.ts';
import { useProvided, useSession } from './session.ts';
import { type Look, partOf } from './style.ts';
import { wordsFor } from './texts.ts';

export type WorkspaceSwitcherProps = Look & {
  /** The `workspace_id` that is chosen; undefined: none yet. */
  value: string | undefined;
  onChange: (workspaceId: string, workspace: Workspace) => void;
};

/** Lets who is signed in choose one of their workspaces. */
export function WorkspaceSwitcher({ value, onChange, ...look }: WorkspaceSwitcherProps): ReactNode {
  const { texts } = useProvided();
  const { status } = useSession();
  const { data, error, refresh } = useWorkspaces();
  const part = partOf(look);
  const id = useId();
  if (status !== 'signed_in') return null;

  const inside = () => {
    if (!data && error !== undefined)
      return [
        createElement('div', { key: 'alert' }, alert(part, wordsFor(error, texts))),
        button(part, texts.again, { onClick: () => void refresh() }),
      ];
    if (!data) return createElement('p', part('note'), texts.loading);
    if (data.length === 0) return createElement('p', part('note'), texts.noWorkspaces);
    const selectedId = data.some(({ workspace_id }) => workspace_id === value) ? value : '';
    return [
      createElement('label', { ...part('label'), key: 'label', htmlFor: id }, texts.workspace),
      createElement(
        'select',
        {
          ...part('select', 'input'),
          key: 'select',
          id,
          value: selectedId,
          onChange: ({ target }: { target: unknown }) => {
            const newId = (target as { value: string }).value;
            const workspace = data.find(({ workspace_id }) => workspace_id === newId);
            if (workspace) onChange(newId, workspace);
          },
        },
        // A choice that is none of these is shown as none: they may have been removed from it.
        selectedId === '' && createElement('option', { key: '', value: '', disabled: true }, '…'),
        data.map(({ workspace_id, name }) =>
          createElement('option', { key: workspace_id, value: workspace_id }, name),
        ),
      ),
    ];
  };
  return createElement('div', part('root'), inside());
}
