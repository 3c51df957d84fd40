import { domains } from '../client-state.ts';
import type { Scan, Stored } from '../history.ts';
import type { Registers } from './registers.ts';

const prefixes = {
  'MEMBER#': 'membership',
  'INVITE#': 'invitation',
  'REQUEST#': 'request',
} as const;

const field = (item: Stored | undefined, name: string): string => {
  const value = item?.[name];
  return typeof value === 'string' ? value : '';
};

/** Records the table at the end as the last read: no acknowledged write may be lost by then. */
export function digestScan(registers: Registers, { at, items }: Scan): void {
  const stored = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  const read = (register: ReturnType<Registers['of']>, value: string) =>
    register.read({ value, began: at, ended: at, id: 0 });
  const find = (pk: string, sk: string) => stored.get(`${pk} ${sk}`);
  for (const [uid, register] of registers.those('user')) {
    const user = find(`USER#${uid}`, 'USER');
    const gone = !user || user['deleted_at'] !== undefined;
    read(register, gone ? 'gone' : 'live');
    if (gone) continue;
    read(registers.of('display name', uid), field(user, 'display_name'));
    read(registers.of('e-mail', uid), field(user, 'email').toLowerCase());
    read(registers.of('disabled', uid), String(user['disabled'] === true));
  }
  const sessions = new Map(
    items
      .filter(({ sk }) => sk.startsWith('SESSION#'))
      .map((item) => [item.sk.slice('SESSION#'.length), item]),
  );
  for (const [session_id, register] of registers.those('session')) {
    const session = sessions.get(session_id);
    const live = session && session['revoked_at'] === undefined;
    read(register, live ? 'live' : 'ended');
  }
  for (const [workspace_id, register] of registers.those('workspace')) {
    const place = find(`WS#${workspace_id}`, 'WS');
    const gone = !place || place['deleted_at'] !== undefined;
    read(register, gone ? 'gone' : 'live');
    if (!place) continue;
    read(registers.of('name', workspace_id), field(place, 'name'));
    read(registers.of('description', workspace_id), field(place, 'description'));
    read(registers.of('owner', workspace_id), field(place, 'owner_id'));
    const allowed = place['allowed_domains'] as string[];
    for (const domain of domains)
      read(registers.of('domain', workspace_id, domain), String(allowed.includes(domain)));
  }
  const within = (name: string) => name.split(' ') as [string, string];
  // Also items that no request asked for.
  for (const { pk, sk } of items)
    for (const [prefix, kind] of Object.entries(prefixes))
      if (pk.startsWith('WS#') && sk.startsWith(prefix))
        registers.of(kind, pk.slice('WS#'.length), sk.slice(prefix.length));
  for (const [name, register] of registers.those('membership')) {
    const [workspace_id, uid] = within(name);
    const member = find(`WS#${workspace_id}`, `MEMBER#${uid}`);
    read(register, member ? 'in' : 'out');
    if (!member) continue;
    read(registers.of('role', workspace_id, uid), field(member, 'role'));
    const suspended = String(member['suspended_at'] !== undefined);
    read(registers.of('suspended', workspace_id, uid), suspended);
  }
  for (const [name, register] of registers.those('invitation')) {
    const [workspace_id, uid] = within(name);
    read(register, find(`WS#${workspace_id}`, `INVITE#${uid}`) ? 'pending' : 'none');
  }
  for (const [name, register] of registers.those('request')) {
    const [workspace_id, uid] = within(name);
    read(register, find(`WS#${workspace_id}`, `REQUEST#${uid}`) ? 'pending' : 'none');
  }
  for (const [name, register] of registers.those('link')) {
    const [workspace_id, link_id] = within(name);
    read(register, find(`WS#${workspace_id}`, `LINK#${link_id}`) ? 'live' : 'gone');
  }
}
