import { type IndexName, tableSchema } from '../../shared/db/table-schema.ts';
import { readBudgets } from '../../test/support/budgets/budgets.ts';

/** The effect of one call on one item, or on one page of items. */
export type Touch = {
  /** The kind of item, as test/budgets.json names it. */
  kind: string;
  verb: 'get' | 'page' | 'put' | 'update' | 'delete' | 'check';
  /** The index that a page is read from, or whose entry a write changes. */
  index?: IndexName;
  read: number;
  /** Units of the table; two for each KB in a transaction. */
  write: number;
  indexWrite: number;
  transaction: boolean;
};

/** The calls to the table of one request or background step, by round trip. */
export type Demand = { rounds: readonly (readonly Touch[])[]; read: number; write: number };

/** The indexes of the kinds of items that have an entry in one. */
const indexOf: Record<string, IndexName> = {
  user: 'by-email',
  domain: 'by-email',
  member: 'by-member',
  invitation: 'by-member',
  'join request': 'by-member',
};

/** KB of the items above one: docs/evidence/table.md. Kinds that are not listed have one KB too. */
const kilobytes = ({ kind, verb }: Touch): number =>
  kind === 'invitation' && verb !== 'check' ? 2 : 1;

const budgets = readBudgets();

/**
 * The demand of a case of test/budgets.json. Its totals are divided among its calls: an item is read with one unit and
 * written with one per KB, twice in a transaction; the remaining reads are its queries, and the remaining writes the
 * index entries. Throws if that does not explain the recorded totals.
 */
export function demandOf(group: string, label: string): Demand {
  const cost = budgets[group]?.[label];
  if (!cost) throw new Error(`test/budgets.json has no ${group}: ${label}`);
  const rounds = cost.rounds.map((calls) => calls.flatMap(touchesOf));
  const all = rounds.flat();
  const problem = divideReads(all, cost.read) ?? divideWrites(all, cost.write);
  if (problem) throw new Error(`${group}: ${label}: ${problem}`);
  return { rounds, read: cost.read, write: cost.write };
}

/** `BatchGetItem 2 member, user`; `Query by-email user`; `TransactWriteItems put session, update user` */
function touchesOf(call: string): Touch[] {
  const [, name = '', rest = ''] = /^(\w+) (.*)$/.exec(call) ?? [];
  const transaction = name === 'TransactWriteItems';
  return rest.split(', ').flatMap((part) => {
    const [, count = '1', text = ''] = /^(?:(\d+) )?(.*)$/.exec(part) ?? [];
    const made = { read: 0, write: 0, indexWrite: 0, transaction };
    return Array.from({ length: Number(count) }, (): Touch => {
      if (name === 'Query') return { ...pageOf(text), ...made };
      const [, verb, kind = text] = transaction ? (/^(\w+) (.*)$/.exec(text) ?? []) : [];
      return { kind, verb: (verb ?? verbOf(name)) as Touch['verb'], ...made };
    });
  });
}

function verbOf(name: string): Touch['verb'] {
  if (name === 'GetItem' || name === 'BatchGetItem') return 'get';
  if (name === 'UpdateItem') return 'update';
  return name === 'DeleteItem' ? 'delete' : 'put';
}

function pageOf(text: string): Pick<Touch, 'kind' | 'verb' | 'index'> {
  const index = (Object.keys(tableSchema.indexes) as IndexName[]).find((name) =>
    text.startsWith(`${name} `),
  );
  if (!index) return { kind: text, verb: 'page' };
  return { kind: text.slice(index.length + 1), verb: 'page', index };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

function divideReads(touches: readonly Touch[], read: number): string | undefined {
  for (const touch of touches) if (touch.verb === 'get') touch.read = 1;
  const pages = touches.filter(({ verb }) => verb === 'page');
  const left = read - sum(touches.map((touch) => touch.read));
  for (const page of pages) page.read = left / pages.length;
  const explained = pages.length > 0 ? left > 0 : left === 0;
  return explained ? undefined : `${left} read units are left for ${pages.length} queries`;
}

function divideWrites(touches: readonly Touch[], write: number): string | undefined {
  const writes = touches.filter(({ verb }) => verb !== 'get' && verb !== 'page');
  for (const touch of writes) touch.write = kilobytes(touch) * (touch.transaction ? 2 : 1);
  let left = write - sum(writes.map((touch) => touch.write));
  // An update changes the index entry only if it changes indexed attributes; a put and a deletion always do.
  const entries = writes
    .filter(({ kind, verb }) => verb !== 'check' && indexOf[kind] !== undefined)
    .toSorted((a, b) => Number(a.verb === 'update') - Number(b.verb === 'update'));
  for (const touch of entries) {
    if (left === 0) break;
    const index = indexOf[touch.kind];
    if (index) Object.assign(touch, { index, indexWrite: 1 });
    left -= 1;
  }
  return left === 0 ? undefined : `${left} write units are not explained`;
}
