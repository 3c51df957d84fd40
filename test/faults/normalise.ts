const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * Values that differ between two equal runs, with their replacement, and a text that must occur for a match: it avoids
 * running the expensive lookbehinds.
 */
const others: readonly [RegExp, string, string?][] = [
  // The end of a device name, in the user's list and in the device token.
  [/(?<="devices":\{"L":\[[^\]]*"[\w-]{8})[\w-]{6}(?=")/g, '<listed>', '"devices"'],
  [/(?<="dt_[^"]*)[\w-]{6}(?=\.)/g, '<listed>', '"dt_'],
  [/\$argon2[^"]*/g, '<hash>'],
  [/whsec_[A-Za-z0-9+/]+=*/g, '<secret>'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/(?:0x)?[\w-]{32,}/g, '<random>'],
  [/(?<=")[a-z\d]{5}(?:-[a-z\d]{5}){2}(?=")/g, '<recovery code>'],
];

/** Times in seconds. A new one may equal a known one, and remaining durations differ by a second. */
const seconds = /(?<![\w-])\d{10}(?:\d{3})?(?![\w-])|(?<="expires_in":)\d+/g;

/**
 * Replaces values that differ between two equal runs: new ids, times, random bytes. Values in `known` stay. The texts
 * are sorted, and the same new id has the same number in all of them.
 */
export function withoutChance(texts: readonly string[], known: string): string[] {
  const numbers = new Map<string, number>();
  const rest = (text: string) => {
    let plain = text.replaceAll(seconds, '<seconds>');
    for (const [pattern, name, mark] of others)
      if (mark === undefined || plain.includes(mark))
        plain = plain.replaceAll(pattern, (found) => (known.includes(found) ? found : name));
    return plain;
  };
  const nameless = (text: string) =>
    text.replaceAll(uuid, (id) => (known.includes(id) ? id : '<id>'));
  const named = (text: string) =>
    text.replaceAll(uuid, (id) => {
      if (known.includes(id)) return id;
      if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
      return `<id ${numbers.get(id)}>`;
    });
  return texts
    .map((text) => ({ text, order: rest(nameless(text)) }))
    .toSorted((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)))
    .map(({ text }) => rest(named(text)))
    .toSorted(byText);
}

/** Items that differ only by their ids may be written in any order. */
const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The same JSON for the same value, regardless of member order, also within strings that contain JSON. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'string' && part.startsWith('{')) return sorted(JSON.parse(part));
    return sorted(part);
  });
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(byName));
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number =>
  a < b ? -1 : Number(a > b);

/** The lines that only one of the two has. */
export function difference(found: string, expected: string): string {
  const [mine, theirs] = [found.split('\n'), expected.split('\n')];
  const only = (a: string[], b: string[]) => a.filter((line) => !b.includes(line)).join('\n');
  return `\n${only(mine, theirs)}\n instead of\n${only(theirs, mine)}`;
}
