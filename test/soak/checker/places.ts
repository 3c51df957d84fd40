import { domains } from '../client-state.ts';
import { type Entry, outcomeOf, type Scan } from '../history.ts';
import { known, type Registers } from './registers.ts';
import { list, placeOf, placesIn, text } from './view.ts';

/** Reads workspaces from a history. */
export function digestPlaces(
  registers: Registers,
  entries: readonly Entry[],
  scan: Scan | undefined,
): void {
  for (const { sk, workspace_id } of scan?.items ?? [])
    if (sk === 'WS') registers.of('workspace', String(workspace_id));
  const unknownCreates = entries.filter(
    (entry) => entry.name === 'workspaces.create' && outcomeOf(entry) === 'unknown',
  );
  const made = new Set<string>();
  for (const entry of entries) {
    for (const place of placesIn(entry)) show(registers, entry, place);
    digestPlace(registers, entry);
    digestDomains(registers, entry);
    digestLinks(registers, entry);
    if (entry.name === 'workspaces.create' && outcomeOf(entry) === 'done')
      made.add(text(entry.answer, 'workspace_id'));
  }
  for (const [workspace_id] of [...registers.those('workspace')]) {
    registers.of('description', workspace_id).mayWrite(never(''), 0);
    for (const domain of domains)
      registers.of('domain', workspace_id, domain).mayWrite(never('false'), 0);
    if (made.has(workspace_id)) continue;
    // Created by a request with unknown outcome, and seen in a list.
    registers.of('workspace', workspace_id).mayWrite(never('live'), 0);
    for (const entry of unknownCreates) {
      const owner = text(entry.body, 'owner_id');
      const owners = registers.ownersOf.get(workspace_id);
      if (owners) owners.add(owner);
      else registers.ownersOf.set(workspace_id, new Set([owner]));
      registers.of('membership', workspace_id, owner).mayWrite(known('in', entry));
      registers.of('role', workspace_id, owner).mayWrite(known('admin', entry));
      registers.of('suspended', workspace_id, owner).mayWrite(known('false', entry));
      registers.of('name', workspace_id).mayWrite(known(text(entry.body, 'name'), entry));
      registers.of('owner', workspace_id).mayWrite(known(owner, entry));
    }
  }
  // The links of a workspace are deleted some time after it.
  for (const entry of entries)
    if (outcomeOf(entry) !== 'refused' && entry.probe === undefined)
      registers.mayGoWithPlace('link', 'live', 'gone', entry);
}

/** A value from before the history. */
const never = (value: string) => ({ value, began: -1, ended: 0, id: 0 });

/** The values that a response shows of a workspace were true at some moment of the request. */
function show(registers: Registers, entry: Entry, place: Record<string, unknown>): void {
  const id = text(place, 'workspace_id');
  if (entry.name !== 'workspaces.delete') registers.of('workspace', id).read(known('live', entry));
  registers.of('name', id).read(known(text(place, 'name'), entry));
  registers.of('description', id).read(known(text(place, 'description'), entry));
  registers.of('owner', id).read(known(text(place, 'owner_id'), entry));
  const allowed = place['allowed_domains'];
  if (!Array.isArray(allowed)) return;
  for (const domain of domains)
    registers.of('domain', id, domain).read(known(String(allowed.includes(domain)), entry));
}

/** Operations whose 404 for a backend can only mean that the workspace is missing. */
const provesMissingPlace = new Set<string>([
  'workspaces.get',
  'workspaces.update',
  'workspaces.delete',
  'members.list',
  'invitations.list',
  'joinLinks.list',
  'joinRequests.list',
]);

function digestPlace(registers: Registers, entry: Entry): void {
  const { name, as, status, body, probe } = entry;
  if (probe === 'foreign') return;
  const outcome = outcomeOf(entry);
  if (name === 'users.delete' && outcome !== 'refused') {
    // Workspaces without another member are deleted with their owner.
    const uid = entry.params?.['uid'] ?? '';
    const until = outcome === 'done' ? entry.ended : Infinity;
    for (const [workspace_id, owners] of registers.ownersOf)
      if (owners.has(uid))
        registers.of('workspace', workspace_id).mayWrite(known('gone', entry), until);
    return;
  }
  const id = name === 'workspaces.create' ? text(entry.answer, 'workspace_id') : placeOf(entry);
  if (id === '') return;
  const place = registers.of('workspace', id);
  const write = (register: typeof place, value: string) => {
    if (outcome === 'done') register.wrote(known(value, entry));
    if (outcome === 'unknown') register.mayWrite(known(value, entry));
  };
  if (status === 404 && as.kind === 'project' && provesMissingPlace.has(name))
    place.read(known('gone', entry));
  switch (name) {
    case 'workspaces.create':
      write(registers.of('name', id), text(body, 'name'));
      write(registers.of('owner', id), text(body, 'owner_id'));
      return write(place, 'live');
    case 'workspaces.restore':
      return write(place, 'live');
    case 'workspaces.delete':
      return write(place, 'gone');
    case 'workspaces.update':
      if (body?.['name'] !== undefined) write(registers.of('name', id), text(body, 'name'));
      if (body?.['description'] !== undefined)
        write(registers.of('description', id), text(body, 'description'));
      break;
    case 'ownership.offer':
      if (as.kind === 'project') write(registers.of('owner', id), text(body, 'user_id'));
      break;
    case 'ownership.accept':
      if (as.kind === 'person') write(registers.of('owner', id), as.uid);
      break;
    default:
  }
  if (outcome === 'done') place.read(known('live', entry));
}

function digestDomains(registers: Registers, entry: Entry): void {
  const { name, params = {}, body, probe } = entry;
  const outcome = outcomeOf(entry);
  if (outcome === 'refused' || probe !== undefined) return;
  const id = params['workspace_id'] ?? '';
  const set = (domain: string, allowed: boolean) => {
    const register = registers.of('domain', id, domain);
    if (outcome === 'done') register.wrote(known(String(allowed), entry));
    else register.mayWrite(known(String(allowed), entry));
  };
  if (name === 'domains.set') set(params['domain'] ?? '', body?.['mode'] !== 'off');
  if (name !== 'workspaces.setAllowedDomains') return;
  const allowed = body?.['allowed_domains'] as string[];
  for (const domain of domains) set(domain, allowed.includes(domain));
}

function digestLinks(registers: Registers, entry: Entry): void {
  const { name, params = {}, answer, probe } = entry;
  const outcome = outcomeOf(entry);
  if (outcome === 'refused' || probe !== undefined) return;
  const id = params['workspace_id'] ?? '';
  const linkOf = (link_id: string) => registers.of('link', id, link_id);
  if (name === 'joinLinks.create' && outcome === 'done') {
    linkOf(text(answer, 'link_id')).mayWrite(never('gone'), 0);
    linkOf(text(answer, 'link_id')).wrote(known('live', entry));
  }
  if (name === 'joinLinks.revoke') {
    const link = linkOf(params['link_id'] ?? '');
    if (outcome === 'done') link.wrote(known('gone', entry));
    else link.mayWrite(known('gone', entry));
  }
  if (name !== 'joinLinks.list' || outcome !== 'done') return;
  const listed = new Set(list(answer, 'result').map((link) => text(link, 'link_id')));
  for (const link_id of listed) {
    // Created by a request with unknown outcome.
    linkOf(link_id).mayWrite(never('live'), 0);
    linkOf(link_id).read(known('live', entry));
  }
  for (const [name_, link] of registers.those('link', id))
    if (!listed.has(name_.split(' ')[1] ?? '')) link.read(known('gone', entry));
}
