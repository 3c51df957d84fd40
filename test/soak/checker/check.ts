import { type Entry, type History, outcomeOf, type Violation } from '../history.ts';
import {
  cursorsAreOfTheirList,
  equalAnswersToEqualKeys,
  keysAreOfOneRequest,
  nothingOfAnotherProject,
  oneGenerationOfTokens,
  oneUserPerEmail,
  onlyDocumentedAnswers,
} from './answers.ts';
import { registersOf } from './digest.ts';
import { linksCountWhoJoined, nothingRefusedIsThere, oneEffectOfAKey } from './effects.ts';
import { endedKeysAreRefused, eventsNameTheKey, keysDoWhatTheyHold } from './keys.ts';
import { pagesAreWhole } from './pages.ts';
import { statisticsAreExact } from './statistics.ts';
import { tableIsSound } from './table.ts';
import { timesGoForward } from './times.ts';
import { valuesAreWritten } from './values.ts';

/** All rule violations of a history and, if given, of the table at its end. */
export function check(given: History): Violation[] {
  const history = { ...given, entries: sinceFirstSent(given.entries) };
  const registers = registersOf(history);
  return [
    ...onlyDocumentedAnswers(history),
    ...nothingOfAnotherProject(history),
    ...cursorsAreOfTheirList(history),
    ...oneGenerationOfTokens(history),
    ...oneUserPerEmail(history),
    ...equalAnswersToEqualKeys(history),
    ...keysAreOfOneRequest(history),
    ...timesGoForward(history),
    ...valuesAreWritten(history, registers),
    ...pagesAreWhole(history, registers),
    ...tableIsSound(history),
    ...statisticsAreExact(history),
    ...oneEffectOfAKey(history),
    ...linksCountWhoJoined(history),
    ...nothingRefusedIsThere(history),
    ...keysDoWhatTheyHold(history),
    ...endedKeysAreRefused(history),
    ...eventsNameTheKey(history),
  ];
}

/**
 * Moves the start of requests with an Idempotency-Key to the first time it was sent: the work may have been done since
 * then.
 */
function sinceFirstSent(entries: readonly Entry[]): Entry[] {
  const first = new Map<string, number>();
  for (const { key, began } of entries)
    if (key !== undefined) first.set(key, Math.min(first.get(key) ?? Infinity, began));
  return entries.map((entry) =>
    entry.key !== undefined && outcomeOf(entry) === 'done'
      ? { ...entry, began: first.get(entry.key) ?? entry.began }
      : entry,
  );
}
