import { clientOf } from '../ui/api.ts';
import { List } from '../ui/list.tsx';
import { Section } from '../ui/page.tsx';
import { actions } from '../ui/rows.tsx';
import { useLoad } from '../ui/use-load.ts';
import { When } from '../ui/when.tsx';
import { LastUsed, NamedKey, RevokeKey } from './api-keys.tsx';

type Props = { project: string; uid: string; round: number };

/**
 * The API keys of a user: what they are limited to, when they were used, and their revocation.
 *
 * @param props `round` changes when the list has to be read anew
 */
export function UserApiKeys({ project, uid, round }: Props) {
  const { apiKeys } = clientOf(project);
  const list = useLoad(`user keys ${uid} ${round}`, async (signal) => {
    const { body } = await apiKeys.listOfUser({ uid }, { signal });
    return { rows: body.result };
  });
  const revoke = (key_id: string) => () => list.after(apiKeys.revokeOfUser({ uid, key_id }));
  return (
    <Section title="API keys">
      <List
        label="API keys"
        list={list}
        keyOf={({ key_id }) => key_id}
        empty="This user has no API key."
        columns={[
          { title: 'Key', cell: (key) => <NamedKey apiKey={key} /> },
          { title: 'Last used', cell: LastUsed },
          { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
          {
            title: actions,
            cell: ({ key_id, name }) => <RevokeKey name={name} onSubmit={revoke(key_id)} />,
          },
        ]}
      />
    </Section>
  );
}
