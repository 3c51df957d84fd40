import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type IndexName, tableSchema } from '../shared/db/table-schema.ts';
import { entryOf, sizeOf } from '../test/support/capacity.ts';

type Item = Record<string, unknown>;

/** Writes items of a table with their index entries. */
export type ItemFile = { putAll(items: readonly Item[]): void; close(): void };

/**
 * Writes items into the file of dynoxide, as dynoxide itself stores them, some thirty times as fast as through its API.
 * The engine may run meanwhile, as long as nothing else writes; it appends no stream records for these items.
 *
 * @param folder of the engine's data
 */
export function openEngineFile(folder: string, table: string): ItemFile {
  const database = new DatabaseSync(join(folder, 'dynoxide.db'), { timeout: 60_000 });
  // An interrupted seed is started again.
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000');
  const insert = database.prepare(
    `INSERT OR REPLACE INTO "${table}" (pk, sk, item_json, item_size) VALUES (?, ?, ?, ?)`,
  );
  const indexes = (Object.keys(tableSchema.indexes) as IndexName[]).map((name) => ({
    name,
    insert: database.prepare(
      `INSERT OR REPLACE INTO "${table}::gsi::${name}" (gsi_pk, gsi_sk, table_pk, table_sk, item_json) VALUES (?, ?, ?, ?, ?)`,
    ),
  }));
  return {
    putAll(items) {
      database.exec('BEGIN IMMEDIATE');
      for (const each of items) {
        const item = marshall(each, { removeUndefinedValues: true });
        const [pk, sk] = [`S:${item['pk']?.S}`, `S:${item['sk']?.S}`];
        insert.run(pk, sk, JSON.stringify(item), sizeOf(item));
        for (const index of indexes) {
          const entry = entryOf(index.name, item);
          if (!entry) continue;
          const { partitionKey, sortKey } = tableSchema.indexes[index.name];
          const place = [`S:${entry[partitionKey]?.S}`, `S:${entry[sortKey]?.S}`] as const;
          index.insert.run(...place, pk, sk, JSON.stringify(entry));
        }
      }
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
}
