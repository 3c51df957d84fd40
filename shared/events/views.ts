import type { UserItem } from '../identity/users.ts';
import { domainModes } from '../workspaces/domain-modes.ts';
import type { WorkspaceItem } from '../workspaces/items.ts';
import type { EventPage } from './pages.ts';

// What an event shows of an item, named one by one. Nothing of it is long: a page of events fits an answer of Lambda.
const ofUser = [
  'uid',
  'email',
  'verified',
  'display_name',
  'preferred_username',
  'name',
  'profile_url',
  'thumbnail_url',
  'current_location',
  'agreed_tos_at',
  'agreed_sign_up_at',
  'disabled',
  'created_at',
  'modified_at',
] as const satisfies (keyof UserItem)[];
const ofWorkspace = [
  'workspace_id',
  'name',
  'logo_url',
  'description',
  'owner_id',
  'created_at',
  'modified_at',
  'deleted_at',
] as const satisfies (keyof WorkspaceItem)[];

type View = Record<string, unknown>;

/** A user as an event shows it: without what is long, or says how they sign in. What is unset is absent. */
export const toEventUser = (item: View): View => pick(item, ofUser);

/** A workspace as an event shows it: without its counts, which other events tell, and the owner's e-mail. */
export function toEventWorkspace(item: View): View {
  const domains = [...domainModes(item as WorkspaceItem)].map(([domain, mode]) => ({
    domain,
    mode,
  }));
  return { ...pick(item, ofWorkspace), domains };
}

/** Of the view before the change what is different after it; null where it was unset. Undefined where nothing is. */
export function changedFrom(before: View, after: View): View | undefined {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const former = [...names]
    .filter((name) => name !== 'modified_at')
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => [name, before[name] ?? null] as const);
  return former.length > 0 ? Object.fromEntries(former) : undefined;
}

function pick(item: View, names: readonly string[]): View {
  return Object.fromEntries(
    names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])),
  );
}

/** A page of events as it is answered. */
export function toEventPage<T>(
  { next, more, expired }: Pick<EventPage<unknown>, 'next' | 'more' | 'expired'>,
  result: T[],
) {
  return {
    count: result.length,
    result,
    next_cursor: String(next),
    more,
    ...(expired > 0 && { expired }),
  };
}
