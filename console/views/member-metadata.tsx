import { useState } from 'react';
import type { ListedMember, Member } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { JsonField, objectIn, textOf } from '../ui/json-field.tsx';
import { Loading } from '../ui/list.tsx';
import { Person } from '../ui/person.tsx';
import { useLoad } from '../ui/use-load.ts';

type Props = { project: string; workspace_id: string; member: ListedMember };
type Version = Pick<Member, 'app_metadata'> & { etag: string | undefined };

/** What the backend keeps on a member, which no list has: it is read when the dialog opens. */
export function MemberMetadata({ project, workspace_id, member }: Props) {
  const target = { project, workspace_id, user_id: member.uid };
  const [version, setVersion] = useState<Version>();
  const [text, setText] = useState('');
  const object = objectIn(text);
  const changed = version !== undefined && text !== textOf(version.app_metadata);
  const save = async () => {
    const { members } = clientOf(project);
    const change = { workspace_id, user_id: member.uid, app_metadata: object ?? {} };
    await members.setMetadata(change, { ifMatch: version?.etag });
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
          {...target}
          onRead={(latest) => {
            setVersion(latest);
            setText(textOf(latest.app_metadata));
          }}
        />
      )}
      <Explain>One JSON object of at most 1 KB. An empty field clears it.</Explain>
    </Dialog>
  );
}

function Reading({
  project,
  onRead,
  ...target
}: {
  project: string;
  workspace_id: string;
  user_id: string;
  onRead: (version: Version) => void;
}) {
  const { failure, reload } = useLoad(
    `member ${target.workspace_id} ${target.user_id}`,
    async (signal) => {
      const { body, headers } = await clientOf(project).members.get(target, { signal });
      onRead({ ...body, etag: headers.get('etag') ?? undefined });
    },
  );
  return failure === undefined ? (
    <Loading label="metadata" />
  ) : (
    <Failure failure={failure} onRetry={reload} />
  );
}
