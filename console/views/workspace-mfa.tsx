import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { Workspace } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { reloadIfStale } from '../ui/stale.ts';

type Props = {
  project: string;
  workspace: Workspace & { etag: string | undefined };
  onChange: () => void;
};

/** Asks the members of a workspace for a second factor, or asks them no more. */
export function WorkspaceMfa({ project, workspace, onChange }: Props) {
  const { workspace_id, require_mfa = false } = workspace;
  const [days, setDays] = useState<string | number>(0);
  const [ifMatch, setIfMatch] = useState(workspace.etag);
  const change = {
    require_mfa: !require_mfa,
    ...(!require_mfa && { mfa_grace_days: Number(days) }),
  };
  const save = async () => {
    const { workspaces } = clientOf(project);
    await reloadIfStale(workspaces.update({ workspace_id, ...change }, { ifMatch }), onChange);
    onChange();
  };
  const onOpen = () => {
    setDays(0);
    setIfMatch(workspace.etag);
  };
  if (require_mfa)
    return (
      <Dialog
        // After somebody else's change, an open dialog must not turn into its opposite.
        key="off"
        label="Require no second factor"
        title="Require no second factor?"
        danger
        onOpen={onOpen}
        onSubmit={save}
      >
        <Explain>Members are let in with one factor, from the next request on.</Explain>
      </Dialog>
    );
  return (
    <Dialog
      key="on"
      label="Require a second factor"
      title="Require a second factor?"
      submit="Require it"
      valid={days !== ''}
      onOpen={onOpen}
      onSubmit={save}
    >
      <Explain>
        Members who have signed in with one factor alone have no access to this workspace until they
        sign in with a second one or a passkey.
      </Explain>
      <NumberInput
        label="Days until then"
        description="Members without a second factor get a mail that says from which day on."
        value={days}
        onChange={setDays}
        min={0}
        max={90}
        allowDecimal={false}
        data-autofocus
      />
    </Dialog>
  );
}
