import { keys } from '../../shared/db/keys.ts';
import { canonical } from './normalise.ts';
import type { Item } from './traced-request.ts';

/**
 * What an item counts: the tries and mails of a window, whichever it is by now, the tries of a code or link that goes
 * on being good, or the guesses at a second factor. `rest` is what has changed besides.
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

/**
 * A factor or link without its guesses in each window and in a row, and the mark of the write that has counted them.
 */
const withoutGuesses = (factor: NonNullable<Item>): NonNullable<Item> =>
  Object.fromEntries(
    Object.entries(factor).filter(
      ([name]) => !isWindow(name) && !['tries', 'write_id'].includes(name),
    ),
  );

const guessesOf = (factor: NonNullable<Item>): number =>
  Object.entries(factor).reduce((sum, [name, { N }]) => sum + (isWindow(name) ? Number(N) : 0), 0);
