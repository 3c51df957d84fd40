import { ApiError } from 'identity-workspace-client';
import {
  MemberTable,
  useAuth,
  useUser,
  useWorkspaces,
  WorkspaceSwitcher,
} from 'identity-workspace-client/react';
import { useState } from 'react';

/** The workspaces of who is signed in, the members of one of them, and what its owner may do. */
export function Workspaces() {
  const user = useUser();
  const { data = [] } = useWorkspaces();
  const [chosen, setChosen] = useState<string>();
  const workspace = data.find(({ workspace_id }) => workspace_id === chosen) ?? data[0];
  const isOwner = workspace !== undefined && workspace.owner_id === user?.uid;
  return (
    <>
      <WorkspaceSwitcher value={workspace?.workspace_id} onChange={setChosen} />
      <MemberTable workspaceId={workspace?.workspace_id} canChangeRoles={isOwner} />
      {isOwner && <Invite workspaceId={workspace.workspace_id} />}
    </>
  );
}

/** Asks for an e-mail, and says what came of it. */
function Invite({ workspaceId: workspace_id }: { workspaceId: string }) {
  const auth = useAuth();
  const [note, setNote] = useState('');
  async function submit(form: FormData) {
    const email = String(form.get('email'));
    try {
      await auth.api.invitations.create({ workspace_id, email, role: 'member' });
      setNote(`${email} has a mail.`);
    } catch (error) {
      // Decide by `code`: this is one that a person can do something about.
      const isMember = error instanceof ApiError && error.code === 'already_member';
      setNote(isMember ? `${email} is a member already.` : 'That did not work. Try again.');
    }
  }
  return (
    <form action={submit}>
      <label>
        E-mail to invite <input name="email" type="email" required />
      </label>{' '}
      <button type="submit">Invite</button>
      <p role="status">{note}</p>
    </form>
  );
}
