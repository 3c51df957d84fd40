import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../../client/api-error.ts';
import { LoadState } from './load-state.tsx';
import { useQuery } from './route.tsx';
import { type Column, Rows } from './rows.tsx';
import type { Loaded } from './use-load.ts';

export type Page<T> = { rows: T[]; next?: string | undefined; total?: string | undefined };

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
  const { data, failure, busy } = list;
  const [query, setQuery] = useQuery();
  if (
    failure instanceof ApiError &&
    failure.errors.some(({ pointer }) => pointer === '/query/cursor')
  )
    return <Gone onFirst={() => setQuery({ cursor: '' })} />;
  const state = <LoadState of={list} label={label} />;
  if (!data) return state;
  const isFirst = !query.has('cursor');
  return (
    <Stack gap="sm" aria-busy={busy} style={{ opacity: busy ? 0.6 : 1 }}>
      {state}
      {data.rows.length === 0 ? (
        <Box p="xl" ta="center" c="dimmed">
          {empty}
        </Box>
      ) : (
        <Rows label={label} rows={data.rows} columns={columns} keyOf={keyOf} />
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

/** In place of a page of a list whose cursor the service refuses, as from a bookmark of another search. */
const Gone = ({ onFirst }: { onFirst: () => void }) => (
  <Alert color="gray" title="This page of the list no longer exists" role="alert">
    <Button size="xs" variant="default" onClick={onFirst}>
      First page
    </Button>
  </Alert>
);
