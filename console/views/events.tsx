import { Button, Group, MultiSelect, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Event } from '../../client/generated/api.ts';
import { eventTypes } from '../../shared/model/events.ts';
import { clientOf, readNewest } from '../ui/api.ts';
import { followFeed } from '../ui/follow-feed.ts';
import { LoadState } from '../ui/load-state.tsx';
import { Page } from '../ui/page.tsx';
import { useQuery } from '../ui/route.tsx';
import type { ViewProps } from '../ui/view-props.ts';
import { EventRows } from './event-rows.tsx';

/** How many events the page keeps. */
const maxEvents = 500;
/** Milliseconds between two looks. */
const interval = 2_000;

/** The feed as it grows, the newest first. */
export function EventsView({ project }: ViewProps) {
  const [query, setQuery] = useQuery();
  const types = (query.get('types') ?? '').split(',').filter(Boolean);
  const [paused, setPaused] = useState(false);
  const { events, failure, retry } = useFeed(project, paused);
  const visibleEvents = events?.filter(({ type }) => types.length === 0 || types.includes(type));
  const state = paused ? 'Paused' : failure === undefined ? 'Live' : 'Stopped';
  return (
    <Page
      title="Events"
      actions={
        <Button variant="default" onClick={() => setPaused(!paused)} aria-pressed={paused}>
          {paused ? 'Go on' : 'Pause'}
        </Button>
      }
    >
      <MultiSelect
        aria-label="Types of events"
        placeholder={types.length === 0 ? 'Every type' : ''}
        data={Object.keys(eventTypes)}
        value={types}
        onChange={(value) => setQuery({ types: value.join(',') })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Every type' }}
      />
      <LoadState of={{ data: events, failure, reload: retry }} label="the newest events" />
      {visibleEvents && (
        <>
          <Group gap="xs" role="status">
            <span className={state === 'Live' ? 'dot live' : 'dot'} aria-hidden="true" />
            <Text size="sm" c="dimmed">
              {state}
              {visibleEvents.length === 0 && `: ${noneOf(events?.length ?? 0)}`}
            </Text>
          </Group>
          <EventRows project={project} events={visibleEvents} />
        </>
      )}
    </Page>
  );
}

/** The page looks through its newest events alone: there may be others before them. */
const noneOf = (last: number): string =>
  last === 0 ? 'there is no event yet' : `none among the last ${last} events`;

/** Follows the feed from its newest events on, and goes on where a failure has stopped it. */
function useFeed(project: string, paused: boolean) {
  const [events, setEvents] = useState<Event[]>();
  const [failure, setFailure] = useState<unknown>();
  const [round, setRound] = useState(0);
  const position = useRef<string>(undefined);
  useEffect(() => {
    if (paused) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const follow = async () => {
      position.current ??= String((await readNewest(project, signal)).after);
      const { events: api } = clientOf(project);
      await followFeed(position.current, {
        read: async (after) => (await api.list({ after, limit: 100 }, { signal })).body,
        onPage({ result, next_cursor }) {
          position.current = next_cursor;
          setEvents((before) => [...result.toReversed(), ...(before ?? [])].slice(0, maxEvents));
        },
        interval,
        signal,
      });
    };
    setFailure(undefined);
    follow().catch((error: unknown) => {
      if (!signal.aborted) setFailure(error);
    });
    return () => abort.abort();
  }, [project, paused, round]);
  return { events, failure, retry: () => setRound((before) => before + 1) };
}
