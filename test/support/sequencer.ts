import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Long files start first, so that none is left running alone at the end. */
const isLong = (file: string) =>
  /test\/(?:faults\/exhaustive|browser\/console-views|shared\/db\/client\.)/.test(file);

/**
 * Files that share a service share its table, which grows with each file: at the end, reading all of it takes a second.
 */
const readsWholeTable = (file: string) =>
  /table\.all\(|mailFeed\(/.test(readFileSync(file, 'utf8'));

const rank = ({ moduleId }: TestSpecification) => {
  if (isLong(moduleId)) return 0;
  return readsWholeTable(moduleId) ? 1 : 2;
};

/** Runs the longest files first, then those that read whole tables, while the tables are small. */
export class CheapestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = (await super.sort(files)).map((file) => ({ file, rank: rank(file) }));
    return ranked.toSorted((a, b) => a.rank - b.rank).map(({ file }) => file);
  }
}
