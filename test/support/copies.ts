import type { World } from './world.ts';

/** An id like the given one, with another end. */
const idOf = (model: string, number: number): string =>
  `${model.slice(0, -12)}f${number.toString(16).padStart(11, '0')}`;

/** Puts copies of items into the table: in each, every id is another one. For lists as long as they can be. */
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
