import type { UserItem } from '../identity/users/users.ts';
import { domainModes } from '../workspaces/domains/modes.ts';
import type { WorkspaceItem } from '../workspaces/items.ts';
import type { EventPage } from './pages.ts';

// The attributes that events contain. An explicit list of short ones, so that a page of events fits into a Lambda
// response.
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
  'external_id',
  'created_at',
  'modified_at',
] as const satisfies (keyof UserItem)[];
const ofWorkspace = [
  'workspace_id',
  'name',
  'logo_url',
  'description',
  'owner_id',
  'external_id',
  'mfa_required_at',
  'created_at',
  'modified_at',
  'deleted_at',
] as const satisfies (keyof WorkspaceItem)[];

type View = Record<string, unknown>;

/** A user as events show it: without long attributes and sign-in methods. Unset attributes are absent. */
export const toEventUser = (item: View): View => pick(item, ofUser);

/**
 * A workspace as events show it: without the owner's e-mail, and without its counts, which follow from other events.
 */
export function toEventWorkspace(item: View): View {
  const domains = [...domainModes(item as WorkspaceItem)].map(([domain, mode]) => ({
    domain,
    mode,
  }));
  return { ...pick(item, ofWorkspace), domains };
}

/** The previous values of the attributes that changed; null if one was unset. Undefined if nothing changed. */
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

/** A page of events in the form of the API. */
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
