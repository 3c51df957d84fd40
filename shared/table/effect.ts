import { isDeepStrictEqual } from 'node:util';
import { currentRequest, type RequestContext, StaleRead } from '../request.ts';
import type { Item } from './item.ts';
import type { Key } from './shape.ts';
import type { Condition, ConditionFailed, Write } from './write.ts';

/** What one run of a handler holds its writes to, and what of them waits. */
type Run = {
  /** Items that must still be as they were read when this run writes, by their keys. */
  held: Map<string, Item>;
  /** Whether the last transaction waits until the answer is known, to be written together with it. */
  waits: boolean;
  /** Throws `content_too_large` where the record of the answer has no room for this result of the handler. */
  requireRoom: RequireRoom;
  /** The transaction that waits. */
  waiting?: Waiting | undefined;
  /** How many refusals of runs before it has met. */
  met: number;
  /** What goes on after the effect is written. */
  later: (() => Promise<unknown>)[];
};

type RequireRoom = (result: unknown) => Promise<void> | undefined;

export type Waiting = { writes: Record<string, Write>; rereadOnConflict: boolean };

/** A condition that failed of a transaction that had waited: whoever sends the same again is told so. */
type Refusal = { names: string; error: ConditionFailed };

const runs = new WeakMap<RequestContext, Run>();
const refusals = new WeakMap<RequestContext, readonly Refusal[]>();
const refusalsOf = (request: RequestContext) => refusals.get(request) ?? [];

/** Begins a run of the handler: what an earlier one read counts no more. */
export function beginRun({
  waits,
  requireRoom = () => undefined,
}: {
  waits: boolean;
  requireRoom?: RequireRoom;
}): void {
  runs.set(currentRequest(), { held: new Map(), waits, requireRoom, met: 0, later: [] });
}

/** The run under way; jobs have none. */
export const currentRun = (): Run | undefined => runs.get(currentRequest());

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
const namesOf = (writes: Record<string, Write>): string => Object.keys(writes).sort().join('\n');

/**
 * Holds every write of this run to an item being as it was read: where it is not, the write throws `StaleRead`, and the
 * handler runs again.
 */
export function hold(item: Item): void {
  currentRun()?.held.set(nameOf(item), item);
}

/** Whether this run holds its writes to anything. */
export const holdsAnything = (): boolean => (currentRun()?.held.size ?? 0) > 0;

/** The held items that are not among these keys. */
export function otherHeld(keys: readonly Key[]): Item[] {
  const written = new Set(keys.map(nameOf));
  return [...(currentRun()?.held ?? [])].flatMap(([name, item]) =>
    written.has(name) ? [] : [item],
  );
}

export const heldItem = (key: Key): Item | undefined => currentRun()?.held.get(nameOf(key));

const attributesOf = (item: Item): [string, unknown][] =>
  Object.entries(item).filter(([name]) => name !== 'pk' && name !== 'sk');

/** Holds while an item is as it was read: each of its attributes. */
export function asItWas(item: Item): Condition {
  const same = attributesOf(item);
  return {
    expression: ['attribute_exists(#pk)', ...same.map(([name]) => `#${name} = :was_${name}`)].join(
      ' AND ',
    ),
    values: Object.fromEntries(same.map(([name, value]) => [`was_${name}`, value])),
  };
}

/** Whether an item that is held is still as it was read. */
export const isAsItWas = (was: Item, item: Item | null): boolean =>
  item !== null && attributesOf(was).every(([name, value]) => isDeepStrictEqual(item[name], value));

/** Does it once the effect of the request is written, or right now where nothing waits. */
export async function afterEffect(work: () => Promise<unknown>): Promise<void> {
  const run = currentRun();
  if (run?.waiting) run.later.push(work);
  else await work();
}

/**
 * Sends every transaction of this run as it comes, because it has several of them. So their record comes after them, and
 * must not turn out too small for the answer: the largest one that they can come to has room before the first is sent.
 * Throws `content_too_large`.
 */
export async function sendAsItComes(largest: () => Promise<unknown>): Promise<void> {
  const run = currentRun();
  if (!run?.waits) return;
  await run.requireRoom(await largest());
  run.waits = false;
}

/** A transaction that had waited was refused: the handler is to run again, and meets that where it sent it. */
export class EffectRefused extends StaleRead {
  override readonly name = 'EffectRefused';
}

/** Remembers for the next run that these writes were refused. */
export function rememberRefusal(writes: Record<string, Write>, error: ConditionFailed): void {
  const request = currentRequest();
  refusals.set(request, [...refusalsOf(request), { names: namesOf(writes), error }]);
}

/**
 * Throws what these writes met in a run before. Runs meet in turn whatever was refused, as long as they take the same
 * way; else what comes then is tried anew.
 */
export function meetRefusal(writes: Record<string, Write>): void {
  const request = currentRequest();
  const run = currentRun();
  const known = refusalsOf(request);
  const refusal = known[run?.met ?? 0];
  if (run && refusal?.names === namesOf(writes)) {
    run.met += 1;
    throw refusal.error;
  }
  refusals.set(request, known.slice(0, run?.met));
}

/** Forgets what was refused, unless that is why the handler runs again: it then reads what has changed. */
export function forgetRefusals(reason: unknown): void {
  if (!(reason instanceof EffectRefused)) refusals.delete(currentRequest());
}
