/** Verifies exports of audit logs: pages of GET /workspaces/{workspace_id}/events, or their entries line by line. */
import { chainHash } from '../shared/events/hash-chain.ts';
import { parseJson } from '../shared/model/json-object.ts';
import { CommandFailure, parseFlags, runCommand } from './flags.ts';
import { readText } from './read-text.ts';

const usage = `Usage: npm run audit:verify -- FILE...    the files of one log, in order

A file holds a page of GET /workspaces/{workspace_id}/events, pages as JSON lines, or entries as JSON lines. Verifies that
each entry has the next number, the hash of the previous entry as previous_hash, and the hash of its own number, event and
previous_hash. Exit code 1: an entry is wrong.`;

type Entry = { number: number; event: unknown; previous_hash: string; hash: string };
/** An entry and its file and line, for error messages. */
type Place = { entry: Entry; at: string };

export async function main(args: string[]): Promise<string> {
  const { values, positionals } = parseFlags({
    args,
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return usage;
  if (positionals.length === 0) throw new CommandFailure(usage);
  const places = (await Promise.all(positionals.map((file) => readEntries(file)))).flat();
  return verify(places);
}

if (import.meta.main) await runCommand(main);

/** Returns the result in one sentence. Throws a `CommandFailure` that names the first wrong entry. */
function verify(places: readonly Place[]): string {
  const [first] = places;
  if (!first) throw new CommandFailure('The files contain no entries.');
  for (const [i, { entry, at }] of places.entries()) {
    const broken = flawOf(entry, places[i - 1]?.entry);
    if (broken !== undefined)
      throw new CommandFailure(`${at}: entry ${entry.number} ${broken} The log is not intact.`);
  }
  const { number, hash } = places.at(-1)?.entry ?? first.entry;
  const before =
    first.entry.number === 1
      ? ''
      : ` Entry ${first.entry.number} has the previous_hash ${first.entry.previous_hash}: compare it with the last hash of the previous export.`;
  return `${places.length} entries, ${first.entry.number} to ${number}, are intact.${before} Keep the last hash: ${hash}`;
}

function flawOf(entry: Entry, before: Entry | undefined): string | undefined {
  const { number, previous_hash, hash } = entry;
  if (before && number !== before.number + 1)
    return `does not follow entry ${before.number}: ${number > before.number ? 'entries are missing.' : 'it is out of order.'}`;
  if (before && previous_hash !== before.hash)
    return `does not have the hash of entry ${before.number}: that entry was changed or replaced.`;
  if (!before && number === 1 && previous_hash !== '')
    return 'has a previous_hash, although it is the first.';
  if (chainHash(entry) !== hash) return 'does not match its own hash: it was changed.';
  return undefined;
}

async function readEntries(file: string): Promise<Place[]> {
  const text = await readText(file);
  const whole = parseJson(text);
  const values: [unknown, string][] =
    whole === undefined
      ? text
          .split('\n')
          .map((line, i): [string, string] => [line, `${file}:${i + 1}`])
          .filter(([line]) => line.trim() !== '')
          .map(([line, at]) => [parseJson(line), at])
      : [[whole, file]];
  return values.flatMap(([value, at]) => entriesOf(value, at));
}

/** The entries of a page, a list of entries, or one entry. */
function entriesOf(value: unknown, at: string): Place[] {
  const { result = value } = (value ?? {}) as { result?: unknown };
  return (Array.isArray(result) ? result : [result]).map((each: unknown) => {
    if (!isEntry(each)) throw new CommandFailure(`${at}: not an audit log entry.`);
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
