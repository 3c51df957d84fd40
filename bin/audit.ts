/** Verifies exports of audit logs: pages of GET /workspaces/{workspace_id}/events, or their entries line by line. */
import { readFile } from 'node:fs/promises';
import { chainHash } from '#shared/events/hash-chain.ts';
import { CommandFailure, messageOf, parseFlags, runCommand } from './flags.ts';

const usage = `Usage: npm run audit:verify -- FILE...    with the files of one log in their order

A file is a page of GET /workspaces/{workspace_id}/events, pages one after the other as JSON lines, or entries as JSON
lines. Each entry must have the number after the one before it, that one's hash as previous_hash, and the hash of its
own number, event and previous_hash. Exits with 1 where one does not.`;

type Entry = { number: number; event: unknown; previous_hash: string; hash: string };
/** Where an entry stands, for whoever reads what is wrong with it. */
type Place = { entry: Entry; at: string };

await runCommand(async () => {
  const { values, positionals } = parseFlags({
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  } as const);
  if (values.help) return usage;
  if (positionals.length === 0) throw new CommandFailure(usage);
  const places = (await Promise.all(positionals.map((file) => readEntries(file)))).flat();
  return verify(places);
});

/** What was verified, in a sentence. Throws a `CommandFailure` that names the first entry that is wrong. */
function verify(places: readonly Place[]): string {
  const [first] = places;
  if (!first) throw new CommandFailure('There is no entry to verify.');
  for (const [i, { entry, at }] of places.entries()) {
    const broken = flawOf(entry, places[i - 1]?.entry);
    if (broken !== undefined)
      throw new CommandFailure(`${at}: entry ${entry.number} ${broken} The log is not intact.`);
  }
  const { number, hash } = places.at(-1)?.entry ?? first.entry;
  const before =
    first.entry.number === 1
      ? ''
      : ` Before entry ${first.entry.number} came ${first.entry.previous_hash}: compare it with the last hash of the export before.`;
  return `${places.length} entries, ${first.entry.number} to ${number}, are intact.${before} Keep the last hash: ${hash}`;
}

function flawOf(entry: Entry, before: Entry | undefined): string | undefined {
  const { number, previous_hash, hash } = entry;
  if (before && number !== before.number + 1)
    return `does not follow entry ${before.number}: ${number > before.number ? 'some are missing.' : 'it is out of order.'}`;
  if (before && previous_hash !== before.hash)
    return `is not chained to entry ${before.number}: that one was changed, or another stood there.`;
  if (!before && number === 1 && previous_hash !== '')
    return 'says that another came before the first.';
  if (chainHash(entry) !== hash) return 'does not have the hash of what it says: it was changed.';
  return undefined;
}

async function readEntries(file: string): Promise<Place[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(`${file} cannot be read: ${messageOf(error)}`);
  });
  const whole = parse(text);
  const values: [unknown, string][] =
    whole === undefined
      ? text
          .split('\n')
          .map((line, i): [string, string] => [line, `${file}:${i + 1}`])
          .filter(([line]) => line.trim() !== '')
          .map(([line, at]) => [parse(line), at])
      : [[whole, file]];
  return values.flatMap(([value, at]) => entriesOf(value, at));
}

/** The entries of a page, a list of entries, or one entry. */
function entriesOf(value: unknown, at: string): Place[] {
  const { result = value } = (value ?? {}) as { result?: unknown };
  return (Array.isArray(result) ? result : [result]).map((each: unknown) => {
    if (!isEntry(each)) throw new CommandFailure(`${at}: this is no entry of an audit log.`);
    return { entry: each, at };
  });
}

function isEntry(value: unknown): value is Entry {
  const { number, event, previous_hash, hash } = (value ?? {}) as Partial<Entry>;
  return (
    Number.isSafeInteger(number) &&
    typeof event === 'object' &&
    typeof previous_hash === 'string' &&
    typeof hash === 'string'
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
