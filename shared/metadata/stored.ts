import { type Change, change, create, del, put, update, type Write } from '../db/change.ts';
import type { Condition } from '../db/condition.ts';
import { type Item, withLacking } from '../db/item.ts';
import type { Key } from '../db/keys.ts';
import { withEvents } from '../db/outbox.ts';
import { canonicalJson } from '../model/canonical-json.ts';
import { ApiError, type FieldError } from '../model/errors.ts';
import type { EventDraft, EventType } from '../model/events.ts';
import { limits } from '../model/limits.ts';
import { depthOf, type Metadata, metadataSize, tooDeep, tooLarge } from '../model/metadata.ts';
import { mergePatch } from './merge-patch.ts';

const names = ['user_metadata', 'app_metadata', 'private_metadata'] as const;
type Name = (typeof names)[number];

/** The metadata of a user or workspace. An empty object counts as none. */
export type Fields = Partial<Record<Name, Metadata>>;

/** What a request gives: objects that replace others, or a merge patch. */
type MetadataInput = { [N in Name]?: Metadata | null | undefined };

/**
 * The metadata of a user or workspace, as JSON texts: DynamoDB would limit numbers, and a text is parsed only where it
 * is shown. An item of its own, because every write of a user or workspace is charged by the size of the whole item.
 */
export type MetadataItem = Item & { project_id: string } & { [N in Name]?: string };

/** The metadata in an item, none without one. */
export const fieldsOf = (stored: Partial<MetadataItem> | undefined): Fields =>
  pickFields((name) => {
    const text = stored?.[name];
    return text === undefined ? undefined : (JSON.parse(text) as Metadata);
  });

/** The metadata as a caller may see it: the private one is the backend's alone. */
export function shownTo(
  { kind }: { kind: 'project' | 'person' | 'workspace' },
  all: Fields,
): Fields {
  const { private_metadata: _, ...others } = all;
  return kind === 'project' ? all : others;
}

/** The metadata with the given objects in place of those of the same names. */
export const replaced = (before: Fields, input: MetadataInput): Fields =>
  pickFields((name) => (input[name] === undefined ? before[name] : (input[name] ?? {})));

/**
 * The metadata after a merge patch of each given object. Throws `invalid_request` if an object becomes larger than
 * `bytes`, or too deep.
 */
export function patched(
  before: Fields,
  input: MetadataInput,
  bytes: number = limits.metadata,
): Fields {
  const after = pickFields((name) =>
    input[name] === undefined
      ? before[name]
      : ((mergePatch(before[name], input[name]) ?? {}) as Metadata),
  );
  const errors = names.flatMap((name): FieldError[] => {
    const value = input[name] === undefined ? undefined : after[name];
    if (value === undefined) return [];
    const pointer = `/body/${name}`;
    if (metadataSize(value) > bytes)
      return [{ pointer, detail: `${tooLarge(bytes)} after the merge` }];
    return depthOf(value) > limits.metadataDepth ? [{ pointer, detail: tooDeep }] : [];
  });
  if (errors.length > 0) throw new ApiError('invalid_request', { errors });
  return after;
}

/** Whether an object is the same in both, or in neither. */
export const isSameMetadata = (name: Name, before: Fields, after: Fields): boolean =>
  canonicalJson(before[name] ?? {}) === canonicalJson(after[name] ?? {});

/** The attributes that store metadata. */
export const metadataAttributes = (fields: Fields): { [N in Name]?: string } =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]));

/**
 * The event of changed metadata: the names of what changed, and of the values that of `app_metadata` alone, as the text
 * that is stored. None if nothing changed.
 */
export function metadataEvents(type: EventType, before: Fields, after: Fields): EventDraft[] {
  const fields = names.filter((name) => !isSameMetadata(name, before, after));
  if (fields.length === 0) return [];
  const { app_metadata = '{}' } = metadataAttributes(after);
  return [{ type, data: { fields, ...(fields.includes('app_metadata') && { app_metadata }) } }];
}

/**
 * Changes the metadata of a user or workspace, whose own item, the holder, carries the event and says that there is
 * metadata. Changes nothing if the metadata is the same. Stale if the metadata changed meanwhile, or the holder is
 * gone.
 */
export function changeMetadata(
  at: {
    key: Key;
    project_id: string;
    stored: MetadataItem | undefined;
    holder: { key: Key; condition: Condition };
    type: EventType;
  },
  after: Fields,
): Change<Fields> {
  const { key, project_id, stored, holder } = at;
  const events = metadataEvents(at.type, fieldsOf(stored), after);
  if (events.length === 0) return change({}, after);
  const isNone = Object.keys(after).length === 0;
  const item: MetadataItem = { ...key, project_id, ...metadataAttributes(after) };
  const write: Write = stored ? (isNone ? del(key) : put(item)) : create(item);
  const flag = isNone ? { remove: ['has_metadata'] } : { set: { has_metadata: true } };
  return change(
    { metadata: write, holder: update(holder.key, withEvents(flag, ...events), holder.condition) },
    after,
    // It is replaced whole, so no object may have come beside those that were read.
  ).expecting(stored ? [withLacking(stored, ...names)] : []);
}

function pickFields(value: (name: Name) => Metadata | undefined): Fields {
  const found = names.map((name) => [name, value(name)] as const);
  return Object.fromEntries(
    found.filter(([, each]) => each !== undefined && Object.keys(each).length > 0),
  );
}
