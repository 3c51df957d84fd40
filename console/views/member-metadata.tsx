import { useState } from 'react';
import type { Member } from '../../client/generated/api.ts';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { JsonField, objectIn, textOf } from '../ui/json-field.tsx';
import { Loading } from '../ui/list.tsx';
import { useLoad } from '../ui/use-load.ts';

type Props = { project: string; workspace_id: string; user_id: string; name: string };
type Read = Pick<Member, 'app_metadata'> & { etag: string | undefined };

/** What the backend keeps on a member, which no list has: it is read when the dialog opens. */
export function MemberMetadata({ name, ...of }: Props) {
  const [read, setRead] = useState<Read>();
  const [text, setText] = useState('');
  const object = objectIn(text);
  const changed = read !== undefined && text !== textOf(read.app_metadata);
  const save = async () => {
    const { members } = clientOf(of.project);
    const { workspace_id, user_id } = of;
    const ifMatch = read?.etag;
    await members.setMetadata({ workspace_id, user_id, app_metadata: object ?? {} }, { ifMatch });
  };
  return (
    <Dialog
      label="Metadata"
      title={`Metadata of ${name} here`}
      submit="Save"
      size="xs"
      valid={changed && object !== undefined}
      onOpen={() => setRead(undefined)}
      onSubmit={save}
    >
      {read ? (
        <JsonField
          label="Of the application"
          about="The member and the admins read it."
          text={text}
          onChange={setText}
        />
      ) : (
        <Reading
          {...of}
          onRead={(found) => {
            setRead(found);
            setText(textOf(found.app_metadata));
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
  ...of
}: Omit<Props, 'name'> & { onRead: (found: Read) => void }) {
  const { failure, reload } = useLoad(`member ${of.workspace_id} ${of.user_id}`, async (signal) => {
    const { body, headers } = await clientOf(project).members.get(of, { signal });
    onRead({ ...body, etag: headers.get('etag') ?? undefined });
  });
  return failure === undefined ? (
    <Loading label="metadata" />
  ) : (
    <Failure failure={failure} onRetry={reload} />
  );
}
