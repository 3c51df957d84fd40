import { Box, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { useQuery } from './route.tsx';
import type { Loaded } from './use-load.ts';

export type Page<T> = { rows: T[]; next?: string | undefined; total?: string | undefined };

/** The title of a column of buttons, which needs none to be seen. */
export const actions = 'Actions';

type Column<T> = {
  title: string;
  cell: (row: T) => ReactNode;
  /** Left out where the window is narrow. */
  wide?: boolean;
};

type Props<T> = {
  /** What the table has, for those who do not see it. */
  label: string;
  list: Loaded<Page<T>>;
  columns: Column<T>[];
  keyOf: (row: T) => string;
  /** What to say where there is nothing. */
  empty: ReactNode;
};

/** A table of a list that comes by pages. The address has the page, so "back" is the page before. */
export function List<T>({ label, list, columns, keyOf, empty }: Props<T>) {
  const { data, failure, busy, reload } = list;
  const [query, setQuery] = useQuery();
  if (failure !== undefined) return <Failure failure={failure} onRetry={reload} />;
  if (!data) return <Loading label={label} />;
  const isFirst = !query.has('cursor');
  return (
    <Stack gap="sm" aria-busy={busy} style={{ opacity: busy ? 0.6 : 1 }}>
      {data.rows.length === 0 ? (
        <Box p="xl" ta="center" c="dimmed">
          {empty}
        </Box>
      ) : (
        <Table verticalSpacing="xs" highlightOnHover aria-label={label} layout="auto">
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ title, wide }) => (
                <Table.Th key={title} scope="col" {...(wide && { visibleFrom: 'sm' })}>
                  {title === actions ? <span className="unseen">{title}</span> : title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.rows.map((row) => (
              <Table.Tr key={keyOf(row)}>
                {columns.map(({ title, cell, wide }) => (
                  <Table.Td
                    key={title}
                    style={{ overflowWrap: 'anywhere' }}
                    {...(wide && { visibleFrom: 'sm' })}
                  >
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {data.rows.length > 0 && data.total}
        </Text>
        {(!isFirst || data.next !== undefined) && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              disabled={isFirst}
              onClick={() => setQuery({ cursor: '' })}
            >
              First page
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={data.next === undefined}
              // While a page is on its way it stays as it is, and with it the focus.
              onClick={() => busy || setQuery({ cursor: data.next ?? '' })}
            >
              Next page
            </Button>
          </Group>
        )}
      </Group>
    </Stack>
  );
}

export const Loading = ({ label }: { label: string }) => (
  <Stack gap="xs" aria-busy="true" role="status" aria-label={`Loading ${label}`}>
    {['a', 'b', 'c', 'd', 'e'].map((each) => (
      <Skeleton key={each} height={28} />
    ))}
  </Stack>
);
