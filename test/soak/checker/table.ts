import type { History, Scan, Stored, Violation } from '../history.ts';

/** Rules about the table at the end, when nothing is in flight. */

const field = (item: Stored | undefined, name: string): string => String(item?.[name] ?? '');
const number = (item: Stored | undefined, name: string): number => Number(item?.[name] ?? 0);
const isGone = (item: Stored | undefined): boolean => !item || item['deleted_at'] !== undefined;

type Table = ReturnType<typeof tableOf>;

function tableOf({ items, indexes }: Scan) {
  const byKey = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  const of = (prefix: string) =>
    items.filter(({ pk, sk }) => pk.startsWith('WS#') && sk.startsWith(prefix));
  return {
    items,
    indexes,
    find: (pk: string, sk: string) => byKey.get(`${pk} ${sk}`),
    users: items.filter(({ pk, sk }) => pk.startsWith('USER#') && sk === 'USER'),
    sessions: items.filter(({ sk }) => sk.startsWith('SESSION#')),
    guards: items.filter(({ sk }) => sk === 'EMAIL'),
    workspaces: items.filter(({ sk }) => sk === 'WS'),
    members: of('MEMBER#'),
    invitations: of('INVITE#'),
    requests: of('REQUEST#'),
    links: of('LINK#'),
    passkeys: items.filter(({ pk, sk }) => pk.startsWith('USER#') && sk.startsWith('PASSKEY#')),
    webhooks: items.filter(({ sk }) => sk.startsWith('WEBHOOK#')),
    webhookCounts: items.filter(({ pk, sk }) => pk.startsWith('WEBHOOKS#') && sk === 'COUNT'),
  };
}

const guardOf = ({ project_id, email }: Stored): string =>
  `EMAIL#${String(project_id)}#${String(email).toLowerCase()}`;

/** Each e-mail must have one user and a guard item for exactly that user. */
function guardsAndUsers({ users, guards, find }: Table): string[] {
  const live = users.filter((user) => !isGone(user) && field(user, 'email') !== '');
  const owners = Map.groupBy(live, guardOf);
  return [
    ...[...owners].flatMap(([guard, all]) =>
      all.length > 1 ? [`${guard} is of ${all.length} users`] : [],
    ),
    ...live
      .filter((user) => find(guardOf(user), 'EMAIL')?.['uid'] !== user['uid'])
      .map((user) => `${guardOf(user)} does not point at its user ${field(user, 'uid')}`),
    ...guards
      .filter(({ pk, uid }) => {
        const user = find(`USER#${String(uid)}`, 'USER');
        return isGone(user) || (user && guardOf(user)) !== pk;
      })
      .map(({ pk, uid }) => `${pk} points at ${String(uid)}, who does not have it`),
  ];
}

const isArchived = (item: Stored): boolean => field(item, 'by_member_sk').startsWith('ARCHIVED#');

/** Every count must equal its items; counts that may be too large must not be too small. */
function countsEqualItems({
  users,
  workspaces,
  members,
  invitations,
  requests,
  links,
  passkeys,
  webhooks,
  webhookCounts,
}: Table): string[] {
  const membersOf = Map.groupBy(members, ({ pk }) => pk);
  const invitationsOf = Map.groupBy(invitations, ({ pk }) => pk);
  const requestsOf = Map.groupBy(requests, ({ pk }) => pk);
  const linksOf = Map.groupBy(links, ({ pk }) => pk);
  const passkeysOf = Map.groupBy(passkeys, ({ pk }) => pk);
  const webhooksOf = Map.groupBy(webhooks, ({ pk }) => pk);
  const joined = Map.groupBy(
    members.filter((member) => !isArchived(member)),
    (member) => `USER#${field(member, 'user_id')}`,
  );
  const owned = Map.groupBy(
    workspaces.filter((workspace) => !isGone(workspace)),
    (workspace) => `USER#${field(workspace, 'owner_id')}`,
  );
  const differ = (item: Stored, name: string, items: number) =>
    number(item, name) === items
      ? []
      : [`${item.pk} counts ${number(item, name)} in ${name} where ${items} are`];
  const below = (item: Stored, name: string, items: number) =>
    number(item, name) >= items ? [] : differ(item, name, items);
  return [
    ...workspaces.flatMap((workspace) => [
      ...differ(workspace, 'total_member_count', membersOf.get(workspace.pk)?.length ?? 0),
      ...differ(workspace, 'pending_member_count', invitationsOf.get(workspace.pk)?.length ?? 0),
      ...below(workspace, 'join_request_count', requestsOf.get(workspace.pk)?.length ?? 0),
      ...below(workspace, 'join_link_count', linksOf.get(workspace.pk)?.length ?? 0),
    ]),
    ...users.flatMap((user) => [
      ...differ(user, 'workspace_count', joined.get(user.pk)?.length ?? 0),
      ...differ(user, 'owned_workspace_count', owned.get(user.pk)?.length ?? 0),
      ...differ(user, 'passkey_count', passkeysOf.get(user.pk)?.length ?? 0),
    ]),
    ...webhookCounts.flatMap((count) =>
      differ(count, 'webhook_count', webhooksOf.get(count.pk)?.length ?? 0),
    ),
  ];
}

/** No member may also be invited. */
const neverBoth = ({ members, find }: Table): string[] =>
  members
    .filter(({ pk, user_id }) => find(pk, `INVITE#${String(user_id)}`))
    .map(({ pk, user_id }) => `${String(user_id)} is both accepted and pending in ${pk}`);

/** A workspace must have one owner, who is an admin member; ownership may be offered only to an admin member. */
function oneOwner({ workspaces, find }: Table): string[] {
  const eligible = (member: Stored | undefined) =>
    member !== undefined && member['role'] === 'admin' && member['suspended_at'] === undefined;
  const live = workspaces.filter((workspace) => !isGone(workspace));
  return [
    ...live
      .filter(({ pk, owner_id }) => !eligible(find(pk, `MEMBER#${String(owner_id)}`)))
      .map(({ pk, owner_id }) => `The owner ${String(owner_id)} of ${pk} is no accepted admin`),
    ...live
      .filter(({ pk, offered_to, offered_member_id }) => {
        if (offered_to === undefined) return false;
        const member = find(pk, `MEMBER#${String(offered_to)}`);
        return !eligible(member) || member?.['member_id'] !== offered_member_id;
      })
      .map(({ pk, offered_to }) => `${pk} is offered to ${String(offered_to)}, who may not own it`),
  ];
}

/** An authenticator app that is not confirmed, which ends by itself after minutes. */
const isUnconfirmed = ({ sk, confirmed_at }: Stored): boolean =>
  sk === 'FACTOR' && confirmed_at === undefined;

/** Only the receipt of a deleted user may remain, and every item must have the project of its workspace. */
function nothingOfTheDeleted({
  items,
  users,
  members,
  invitations,
  requests,
  find,
}: Table): string[] {
  const gone = new Set(users.filter(isGone).map((user) => user.pk));
  const ofGone = items.filter(
    (item) => gone.has(item.pk) && item.sk !== 'USER' && !isUnconfirmed(item),
  );
  const within = [...members, ...invitations, ...requests];
  return [
    ...ofGone.map(({ pk, sk }) => `${pk} was deleted, and still has ${sk}`),
    ...within
      .filter(({ user_id }) => isGone(find(`USER#${String(user_id)}`, 'USER')))
      .map(({ pk, sk }) => `${pk} still has ${sk} of a deleted user`),
  ];
}

/** A disabled user must have no session, not even one that started concurrently. */
const noSessionOfTheDisabled = ({ sessions, find }: Table): string[] =>
  sessions
    .filter(({ pk, revoked_at }) => {
      const user = find(pk, 'USER');
      return revoked_at === undefined && !isGone(user) && user?.['disabled'] === true;
    })
    .map(({ pk, sk }) => `${pk} is disabled, and still has ${sk}`);

/** Members must belong to the project of their workspace. */
const oneProject = ({ members, invitations, requests, find }: Table): string[] =>
  [...members, ...invitations, ...requests]
    .filter(({ pk, user_id }) => {
      const user = find(`USER#${String(user_id)}`, 'USER');
      return user && user['project_id'] !== find(pk, 'WS')?.['project_id'];
    })
    .map(({ pk, sk }) => `${sk} in ${pk} is of another project`);

/** Every index must equal the table's projection. */
function indexesEqualBase({ items, indexes }: Table): string[] {
  const names = { 'by-email': 'by_email', 'by-member': 'by_member' };
  return Object.entries(names).flatMap(([index, name]) => {
    const keyOf = (item: Stored) =>
      [item.pk, item.sk, field(item, `${name}_pk`), field(item, `${name}_sk`)].join(' ');
    const base = new Set(items.filter((item) => item[`${name}_pk`] !== undefined).map(keyOf));
    const there = new Set((indexes[index] ?? []).map(keyOf));
    return [
      ...[...base].filter((key) => !there.has(key)).map((key) => `${index} lacks ${key}`),
      ...[...there].filter((key) => !base.has(key)).map((key) => `${index} still has ${key}`),
    ];
  });
}

/** Denormalised profiles and owner e-mails must show the user's last change. */
function copiesAreCurrent({ members, invitations, workspaces, find }: Table): string[] {
  const live = workspaces.filter((workspace) => !isGone(workspace));
  const lives = new Set(live.map(({ pk }) => pk));
  return [
    ...[...members, ...invitations]
      .filter(({ pk, user_id, profile_version }) => {
        const user = find(`USER#${String(user_id)}`, 'USER');
        return lives.has(pk) && user && !isGone(user) && user['version'] !== profile_version;
      })
      .map(({ pk, sk }) => `${sk} in ${pk} shows an older profile`),
    ...live
      .filter(({ owner_id, owner_email }) => {
        const owner = find(`USER#${String(owner_id)}`, 'USER');
        return owner && !isGone(owner) && owner['email'] !== owner_email;
      })
      .map(({ pk }) => `${pk} shows an older e-mail of its owner`),
  ];
}

/** Every event must be in its log and in the feed, once, in order, without gaps. */
function everyEventOnce({ items, users, workspaces, find }: Table): string[] {
  const entriesOf = Map.groupBy(
    items.filter(({ sk }) => sk.startsWith('EVENT#')),
    ({ pk }) => pk,
  );
  const gapless = (pk: string, last: number) => {
    const numbers = (entriesOf.get(pk) ?? []).map(({ sk }) => Number(sk.slice('EVENT#'.length)));
    const whole =
      numbers.length === last && numbers.toSorted((a, b) => a - b).every((n, i) => n === i + 1);
    return whole ? [] : [`${pk} has ${numbers.length} events of ${last}`];
  };
  const tellers = [...users, ...workspaces].filter((item) => !isGone(item) || item.sk === 'WS');
  const feeds = items.filter(({ pk, sk }) => pk.startsWith('FEED#') && sk === 'HEAD');
  return [
    ...tellers.flatMap((teller) => {
      const head = find(`LOG#${teller.pk}`, 'HEAD');
      // An event that was written twice because a response was lost is recorded once.
      const [told, number_] = [number(head, 'told'), number(head, 'number')];
      const missing = told !== number(teller, 'event_count') || head?.['missing'] !== undefined;
      return missing
        ? [`LOG#${teller.pk} knows ${told} events of ${number(teller, 'event_count')}`]
        : gapless(`LOG#${teller.pk}`, number_);
    }),
    ...feeds.flatMap((head) => gapless(head.pk, number(head, 'position'))),
    ...[...entriesOf]
      .filter(([pk]) => pk.startsWith('FEED#'))
      .flatMap(([pk, entries]) => {
        const ids = entries.map(({ event }) => (JSON.parse(String(event)) as { id: string }).id);
        return new Set(ids).size < ids.length ? [`${pk} has an event twice`] : [];
      }),
    ...[...entriesOf]
      .filter(([pk]) => pk.startsWith('LOG#'))
      .flatMap(([, entries]) =>
        entries.filter(({ event, position, pk }) => {
          const owner =
            find(pk.slice('LOG#'.length), 'USER') ?? find(pk.slice('LOG#'.length), 'WS');
          const { id, project_id } = JSON.parse(String(event)) as {
            id: string;
            project_id: string;
          };
          if (!owner) return false;
          const place = `EVENT#${String(position).padStart(15, '0')}`;
          const shown = find(`FEED#${project_id}`, place);
          return !shown || (JSON.parse(String(shown['event'])) as { id: string }).id !== id;
        }),
      )
      .map(({ pk, sk }) => `${sk} of ${pk} is not where it says it is in the feed`),
  ];
}

const rules: Record<string, (table: Table) => string[]> = {
  'guards and users point at each other': guardsAndUsers,
  'counts equal items': countsEqualItems,
  'never pending and accepted at once': neverBoth,
  'one owner, accepted and admin': oneOwner,
  'nothing visible after an acknowledged delete': nothingOfTheDeleted,
  'no session after an acknowledged sign-out': noSessionOfTheDisabled,
  'nothing of one project through another': oneProject,
  'index equals base': indexesEqualBase,
  'copies are current': copiesAreCurrent,
  'every event once': everyEventOnce,
};

/** The rule violations of the table at the end. */
export function tableIsSound({ scan }: History): Violation[] {
  if (!scan) return [];
  const table = tableOf(scan);
  return Object.entries(rules).flatMap(([rule, holds]) =>
    holds(table).map((what) => ({ rule, what, entries: [] })),
  );
}
