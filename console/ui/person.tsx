import { Badge, Group } from '@mantine/core';
import type { User } from '../../client/generated/api.ts';
import { oneLine } from '../../shared/mail/sanitize.ts';
import { Link } from './route.tsx';

const uidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Whether the service takes it for the id of a user. */
export const isUid = (text: string): boolean => uidPattern.test(text);

type Named = Pick<User, 'name' | 'email' | 'uid'> & {
  display_name?: string;
  displayed_name?: string;
};

/**
 * What a user is called: by name, else by e-mail, else by the id. A name that nobody can see is none; nor is one that
 * could be taken for the e-mail of another user.
 */
export function nameOf({ name, email, uid, ...user }: Named): string {
  const full = [name.given_name, name.family_name].filter(Boolean).join(' ');
  const chosen = oneLine((user.display_name ?? user.displayed_name) || name.formatted || full);
  return chosen === '' || chosen.normalize('NFKC').includes('@') ? email || uid : chosen;
}

/** A user in a dialog, which covers the row: others may have the same name. */
export function Person({ user }: { user: Named }) {
  const name = nameOf(user);
  const id = user.email || user.uid;
  return (
    <>
      <bdi>{name}</bdi>
      {name !== id && ` (${id})`}
    </>
  );
}

export const PersonLink = ({ project, user }: { project: string; user: Named }) => (
  <Link href={`/projects/${project}/users/${user.uid}`} fw={500}>
    <bdi>{nameOf(user)}</bdi>
  </Link>
);

export const State = ({ user }: { user: Pick<User, 'disabled' | 'verified'> }) => (
  <Group gap={4}>
    {user.disabled && (
      <Badge color="red" variant="outline">
        disabled
      </Badge>
    )}
    {user.verified.email ? (
      <Badge>verified</Badge>
    ) : (
      <Badge color="gray" variant="outline">
        unverified
      </Badge>
    )}
  </Group>
);
