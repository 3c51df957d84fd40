import { useState } from 'react';
import type { ListedMember, Member } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { JsonField, objectIn, textOf } from '../ui/json-field.tsx';
import { Reading } from '../ui/load-state.tsx';
import { Person } from '../ui/person.tsx';

type Props = { project: string; workspace_id: string; member: ListedMember };
type Version = Pick<Member, 'app_metadata'> & { etag: string | undefined };

/** What the backend keeps on a member, which no list has: it is read when the dialog opens. */
export function MemberMetadata({ project, workspace_id, member }: Props) {
  const target = { workspace_id, user_id: member.uid };
  const [version, setVersion] = useState<Version>();
  const [text, setText] = useState('');
  const object = objectIn(text);
  const changed = version !== undefined && text !== textOf(version.app_metadata);
  const { members } = clientOf(project);
  const read = async (signal: AbortSignal) => {
    const { body, headers } = await members.get(target, { signal });
    setVersion({ ...body, etag: headers.get('etag') ?? undefined });
    setText(textOf(body.app_metadata));
  };
  const save = async () => {
    const ifMatch = version?.etag;
    await members.setMetadata({ ...target, app_metadata: object ?? {} }, { ifMatch });
  };
  return (
    <Dialog
      label="Metadata"
      title={
        <>
          Metadata of <Person user={member} /> here
        </>
      }
      submit="Save"
      size="xs"
      valid={changed && object !== undefined}
      onOpen={() => setVersion(undefined)}
      onSubmit={save}
    >
      {version ? (
        <JsonField
          label="Of the application"
          about="The member and the admins read it."
          text={text}
          onChange={setText}
        />
      ) : (
        <Reading
          id={`member ${target.workspace_id} ${target.user_id}`}
          label="metadata"
          read={read}
        />
      )}
      <Explain>One JSON object of at most 1 KB. An empty field clears it.</Explain>
    </Dialog>
  );
}
