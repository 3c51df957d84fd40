import { Badge, Group } from '@mantine/core';
import type { User } from '../../client/generated/api.ts';

/** What a user is called: by name, else by e-mail, else by the id. */
export const nameOf = ({
  name,
  email,
  uid,
  ...user
}: Pick<User, 'name' | 'email' | 'uid'> & {
  display_name?: string;
  displayed_name?: string;
}): string =>
  (user.display_name ?? user.displayed_name) ||
  name.formatted ||
  [name.given_name, name.family_name].filter(Boolean).join(' ') ||
  email ||
  uid;

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
