import type { EventUser, EventWorkspace } from '../contract/events.ts';
import type { UserData } from '../identity/users/users.ts';
import { domainModes } from '../workspaces/domains/modes.ts';
import type { WorkspaceItem } from '../workspaces/items.ts';
import type { EventPage } from './pages.ts';

/** Attributes that no event contains: long ones, because a page of events must fit into a Lambda response. */
type NotInEvents =
  | ('about_me' | 'photos' | 'urls')
  | ('project_id' | 'social' | 'sign_in_methods' | 'wallet' | 'last_sign_in_at');
type InEvents = Exclude<keyof UserData, NotInEvents>;

/** The attributes of a user in events: the contract names the same, and every other one is excluded above. */
const ofUser = {
  uid: true,
  email: true,
  verified: true,
  display_name: true,
  preferred_username: true,
  name: true,
  profile_url: true,
  thumbnail_url: true,
  current_location: true,
  agreed_tos_at: true,
  agreed_sign_up_at: true,
  disabled: true,
  external_id: true,
  created_at: true,
  modified_at: true,
} satisfies {
  [K in InEvents | keyof EventUser]: K extends InEvents & keyof EventUser ? true : never;
};
/** The attributes of a workspace in events. */
const ofWorkspace = {
  workspace_id: true,
  name: true,
  logo_url: true,
  description: true,
  owner_id: true,
  external_id: true,
  mfa_required_at: true,
  created_at: true,
  modified_at: true,
  deleted_at: true,
} satisfies {
  [K in Exclude<keyof EventWorkspace, 'domains'>]: K extends keyof WorkspaceItem ? true : never;
};

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

function pick(item: View, names: Record<string, true>): View {
  return Object.fromEntries(
    Object.keys(names).flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])),
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
