import { Text } from '@mantine/core';
import type { Permission } from '../../client/generated/api.ts';

type Props = { id: string; permissions: readonly Permission[] };

/** What a permission allows, with its id beside it; the id alone where nobody has described it. */
export function DescribedPermission({ id, permissions }: Props) {
  const description = permissions.find(({ permission }) => permission === id)?.description;
  if (description === undefined) return id;
  return (
    <>
      {description}{' '}
      <Text span size="xs" c="dimmed">
        {id}
      </Text>
    </>
  );
}
