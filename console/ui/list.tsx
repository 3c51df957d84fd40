import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { ApiError } from '../../client/api-error.ts';
import { LoadState } from './load-state.tsx';
import { useQuery } from './route.tsx';
import { type Column, Rows } from './rows.tsx';
import type { Loaded } from './use-load.ts';

export type Page<T> = {
  rows: T[];
  next?: string | undefined;
  total?: string | undefined;
  /** That there is a page before it. */
  follows?: boolean;
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
  const { data, failure, busy } = list;
  const [, setQuery] = useQuery();
  const frame = useRef<HTMLDivElement>(null);
  const hasTurned = useRef(false);
  // Who has turned the page at its end reads on at its beginning.
  useEffect(() => {
    if (hasTurned.current && (frame.current?.getBoundingClientRect().top ?? 0) < 0)
      frame.current?.scrollIntoView();
    hasTurned.current = false;
  }, [data]);
  const turn =
    (cursor: string) =>
    ({ detail }: MouseEvent) => {
      if (busy) return;
      // A key, in contrast to a click, is pressed where the focus is, which stays.
      hasTurned.current = detail > 0;
      setQuery({ cursor });
    };
  if (
    failure instanceof ApiError &&
    failure.errors.some(({ pointer }) => pointer === '/query/cursor')
  )
    return <Gone onFirst={() => setQuery({ cursor: '' })} />;
  const state = <LoadState of={list} label={label} />;
  if (!data) return state;
  const { rows, next, total, follows = false } = data;
  const isEmpty = rows.length === 0;
  return (
    <Stack
      ref={frame}
      className="list"
      gap="sm"
      aria-busy={busy}
      style={{ opacity: busy ? 0.6 : 1 }}
    >
      {state}
      {!isEmpty && <Rows label={label} rows={rows} columns={columns} keyOf={keyOf} />}
      <Group justify="space-between">
        {/* How many a search has found is said to who does not see it. */}
        <Text
          role="status"
          component="div"
          size={isEmpty ? 'md' : 'sm'}
          c="dimmed"
          {...(isEmpty && { p: 'xl', ta: 'center' as const, flex: 1 })}
        >
          {isEmpty ? empty : total}
        </Text>
        {(follows || next !== undefined) && (
          <Group gap="xs">
            <Button size="xs" variant="default" disabled={!follows} onClick={turn('')}>
              First page
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={next === undefined}
              onClick={turn(next ?? '')}
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
