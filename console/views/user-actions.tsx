import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../client/api-error.ts';
import type { FoundUser } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Secret } from '../ui/copy.tsx';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { Person } from '../ui/person.tsx';
import { go } from '../ui/route.tsx';
import { useFields } from '../ui/use-fields.ts';

type Props = { project: string; user: FoundUser; onChange: () => void };

export function UserActions({ project, user, onChange }: Props) {
  const { users } = clientOf(project);
  const { uid, disabled } = user;
  const set = async (next: boolean) => {
    await users.update({ uid, disabled: next });
    onChange();
  };
  const remove = async () => {
    await users.delete({ uid });
    go(`/projects/${project}/users`);
  };
  return (
    <>
      <Edit project={project} user={user} onChange={onChange} />
      <ActAs project={project} user={user} onChange={onChange} />
      {disabled ? (
        <Dialog label="Enable" title="Enable this user?" onSubmit={() => set(false)}>
          <Explain>
            <Person user={user} /> can sign in again.
          </Explain>
        </Dialog>
      ) : (
        <Dialog label="Disable" title="Disable this user?" danger onSubmit={() => set(true)}>
          <Explain>
            Every session of <Person user={user} /> ends at once, and none can start until you
            enable them.
          </Explain>
        </Dialog>
      )}
      <ResetFactor project={project} user={user} onChange={onChange} />
      <Dialog
        label="Delete"
        title="Delete this user?"
        danger
        typed={user.email || uid}
        onSubmit={remove}
      >
        <Explain>
          <Person user={user} />, their sessions and memberships, and the workspaces that have no
          other member are deleted. This cannot be undone.
        </Explain>
      </Dialog>
    </>
  );
}

/** Changes what the backend may change of a profile; only what was changed is sent. */
function Edit({ project, user, onChange }: Props) {
  const { input, changed, reset } = useFields({
    display_name: user.displayed_name,
    email: user.email,
    external_id: user.external_id ?? '',
  });
  const save = async () => {
    const update = changed.map(([name, value]) => [
      name,
      name === 'external_id' && value === '' ? null : value,
    ]);
    await clientOf(project).users.update({
      uid: user.uid,
      ...(Object.fromEntries(update) as object),
    });
    onChange();
  };
  return (
    <Dialog
      label="Edit"
      title={
        <>
          Edit <Person user={user} />
        </>
      }
      submit="Save"
      valid={changed.length > 0}
      onOpen={reset}
      onSubmit={save}
    >
      <TextInput label="Display name" {...input('display_name')} />
      <TextInput
        label="E-mail"
        description="A new one takes effect at once, unverified."
        {...input('email')}
      />
      <TextInput
        label="Id of the backend"
        description="Your own id, unique in the project."
        {...input('external_id')}
      />
    </Dialog>
  );
}

/** Removes the second factor of who has lost it. Nothing of the service says whether there is one but this. */
function ResetFactor({ project, user, onChange }: Props) {
  const reset = async () => {
    try {
      await clientOf(project).factors.reset({ uid: user.uid });
      onChange();
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
      return <Explain>This user has no second factor.</Explain>;
    }
  };
  return (
    <Dialog
      label="Reset second factor"
      title="Remove the second factor of this user?"
      submit="Remove"
      danger
      onSubmit={reset}
    >
      <Explain>
        Make sure of who asks: the authenticator app and the recovery codes of{' '}
        <Person user={user} /> end, and anybody with the password or the mailbox can then sign in.
        The user gets a mail about it.
      </Explain>
    </Dialog>
  );
}

const storedActor = 'console.actor';

/** Starts a session in which the operator acts as the user; its token is shown this once, for use elsewhere. */
function ActAs({ project, user, onChange }: Props) {
  const [id, setId] = useState(localStorage.getItem(storedActor) ?? '');
  const [reason, setReason] = useState('');
  const start = async () => {
    const { body } = await clientOf(project).sessions.create({
      uid: user.uid,
      actor: { id: id.trim(), reason: reason.trim() },
    });
    localStorage.setItem(storedActor, id.trim());
    onChange();
    return (
      <Stack gap="xs">
        <Explain>
          An access token of <Person user={user} />, good for an hour. It is not shown again. End
          the session in the list of their sessions.
        </Explain>
        <Secret value={body.access_token} label="token" />
      </Stack>
    );
  };
  return (
    <Dialog
      label="Act as"
      title={
        <>
          Act as <Person user={user} />
        </>
      }
      submit="Start a session"
      valid={id.trim() !== '' && reason.trim() !== ''}
      onOpen={() => setReason('')}
      onSubmit={start}
    >
      <TextInput
        label="Who you are"
        description="Such as your e-mail. The user sees it, and every event names it."
        value={id}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
        required
        data-autofocus
      />
      <TextInput
        label="Reason"
        description="Such as the number of a ticket."
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        required
      />
    </Dialog>
  );
}
