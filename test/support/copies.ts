import type { World } from './world.ts';

/** The given id with another end. */
const idOf = (model: string, number: number): string =>
  `${model.slice(0, -12)}f${number.toString(16).padStart(11, '0')}`;

/** Puts copies of items into the table, each with new ids, for lists of maximum length. */
export async function seedCopies(
  { table }: World,
  items: readonly Record<string, unknown>[],
  ids: readonly string[],
  count: number,
): Promise<void> {
  if (items.length === 0) throw new Error('There is nothing to copy.');
  const model = JSON.stringify(items);
  const copies = Array.from({ length: count }, (_, number) => {
    let text = model;
    for (const id of ids) text = text.replaceAll(id, idOf(id, number));
    return JSON.parse(text) as Record<string, unknown>[];
  });
  await table.putAll(copies.flat());
}
