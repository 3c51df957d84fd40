import { keys } from '../../shared/db/keys.ts';
import { canonical } from './normalise.ts';
import type { Item } from './traced-request.ts';

/**
 * The counter of an item: attempts and mails of a window, attempts at a code or link that stays valid, or guesses at a
 * second factor. `rest` is the rest of the change.
 */
export function countOf(
  key: string,
  before: Item,
  now: Item,
): { name: string; growth: number; rest?: Item } | undefined {
  const [name, place] = JSON.parse(key) as [string, string];
  if (before && now && [factorPlace, linkPlace].includes(place)) {
    const rest = withoutGuesses(now);
    const same = canonical(rest) === canonical(withoutGuesses(before));
    const guesses = place === linkPlace ? triesOf : guessesOf;
    return { name: key, growth: guesses(now) - guesses(before), ...(!same && { rest }) };
  }
  const counter = name.startsWith('RATE#passwordFailures#')
    ? 'total'
    : name.startsWith('RATE#')
      ? 'count'
      : name.startsWith('CODE#') && now && 'tries';
  if (!counter) return undefined;
  return { name, growth: Number(now?.[counter]?.N ?? 0) - Number(before?.[counter]?.N ?? 0) };
}

const { sk: factorPlace } = keys.factor('');
const { sk: linkPlace } = keys.signInLink('');
const triesOf = ({ tries }: NonNullable<Item>): number => Number(tries?.N ?? 0);
const isWindow = (attribute: string): boolean => /^w\d+$/.test(attribute);

/** A factor or link without its counters of guesses and the marker of the write that counted them. */
const withoutGuesses = (factor: NonNullable<Item>): NonNullable<Item> =>
  Object.fromEntries(
    Object.entries(factor).filter(
      ([name]) => !isWindow(name) && !['tries', 'write_id'].includes(name),
    ),
  );

const guessesOf = (factor: NonNullable<Item>): number =>
  Object.entries(factor).reduce((sum, [name, { N }]) => sum + (isWindow(name) ? Number(N) : 0), 0);
