import { Badge } from '@mantine/core';

/** That somebody has acted as a user: with any text that they have given for who they are. */
export const ActedBy = ({ id }: { id: string }) => (
  <Badge
    color="orange"
    variant="outline"
    h="auto"
    miw={0}
    styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
  >
    acted by {id}
  </Badge>
);
