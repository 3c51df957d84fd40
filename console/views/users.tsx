import { Button, Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { clientOf } from '../ui/api.ts';
import { Dialog, Explain } from '../ui/dialog.tsx';
import { EmailInput } from '../ui/email-input.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { nameOf, State } from '../ui/person.tsx';
import { follow, go, Link, useQuery } from '../ui/route.tsx';
import { Search } from '../ui/search.tsx';
import { useFields } from '../ui/use-fields.ts';
import { usePages } from '../ui/use-pages.ts';
import type { ViewProps } from '../ui/view-props.ts';
import { When } from '../ui/when.tsx';

export function UsersView({ project }: ViewProps) {
  const [query, setQuery] = useQuery();
  const text = query.get('query') ?? '';
  const order = query.get('order') === 'asc' ? ('asc' as const) : ('desc' as const);
  const filter = text === '' ? { order } : { query: text };
  const list = usePages(`users ${project} ${text} ${order}`, ['user', 'users'], (cursor, signal) =>
    clientOf(project).users.list({ ...filter, cursor, limit: 25 }, { signal }),
  );
  return (
    <Page
      title="Users"
      actions={
        <>
          <Button
            component="a"
            variant="default"
            href={`/projects/${project}/import`}
            onClick={(event) => follow(event, `/projects/${project}/import`)}
          >
            Import
          </Button>
          <NewUser project={project} />
        </>
      }
    >
      <Group gap="sm">
        <Search label="Find users" placeholder="Beginning of an e-mail or a name" />
        {text === '' && (
          <Select
            aria-label="Order"
            value={order}
            onChange={(value) => setQuery({ order: value === 'asc' ? 'asc' : '' })}
            data={[
              { value: 'desc', label: 'Newest first' },
              { value: 'asc', label: 'Oldest first' },
            ]}
            allowDeselect={false}
            w={160}
          />
        )}
      </Group>
      <List
        label="Users"
        list={list}
        keyOf={({ uid }) => uid}
        empty={text === '' ? 'There is no user yet.' : `No e-mail or name starts with “${text}”.`}
        columns={[
          {
            title: 'User',
            cell: (user) => (
              <Link href={`/projects/${project}/users/${user.uid}`} fw={500}>
                {nameOf(user)}
              </Link>
            ),
          },
          { title: 'E-mail', cell: ({ email }) => email || '–' },
          { title: 'State', cell: (user) => <State user={user} /> },
          { title: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
          {
            title: 'Last sign-in',
            cell: ({ last_sign_in_at }) => <When at={last_sign_in_at} />,
          },
        ]}
      />
    </Page>
  );
}

function NewUser({ project }: { project: string }) {
  const { fields, input, reset } = useFields({ email: '', name: '' });
  const [email, name] = [fields.email.trim(), fields.name.trim()];
  const [verified, setVerified] = useState(false);
  const create = async () => {
    const { body } = await clientOf(project).users.create({
      email,
      ...(name !== '' && { display_name: name }),
      ...(verified && { email_verified: true }),
    });
    go(`/projects/${project}/users/${body.uid}`);
  };
  return (
    <Dialog
      label="New user"
      title="New user"
      submit="Create"
      valid={email !== ''}
      onOpen={() => {
        reset();
        setVerified(false);
      }}
      onSubmit={create}
    >
      <EmailInput {...input('email')} />
      <TextInput label="Display name" {...input('name')} />
      <Checkbox
        label="I know that the mailbox is theirs"
        checked={verified}
        onChange={({ currentTarget }) => setVerified(currentTarget.checked)}
      />
      <Explain>If there is a user with this e-mail, you get to that one.</Explain>
    </Dialog>
  );
}
