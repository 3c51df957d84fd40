import type { History, Violation } from '../history.ts';
import {
  cursorsAreOfTheirList,
  equalAnswersToEqualKeys,
  nothingOfAnotherProject,
  oneGenerationOfTokens,
  oneUserPerEmail,
  onlyDocumentedAnswers,
} from './answers.ts';
import { linksCountWhoJoined, nothingRefusedIsThere, oneEffectOfAKey } from './effects.ts';
import { pagesAreWhole } from './pages.ts';
import { registersOf } from './registers.ts';
import { tableIsSound } from './table.ts';
import { timesGoForward } from './times.ts';
import { valuesAreWritten } from './values.ts';

/** Everything that a history, and the table at its end, contradict. Without the table what it alone shows is left out. */
export function check(history: History): Violation[] {
  const registers = registersOf(history);
  return [
    ...onlyDocumentedAnswers(history),
    ...nothingOfAnotherProject(history),
    ...cursorsAreOfTheirList(history),
    ...oneGenerationOfTokens(history),
    ...oneUserPerEmail(history),
    ...equalAnswersToEqualKeys(history),
    ...timesGoForward(history),
    ...valuesAreWritten(history, registers),
    ...pagesAreWhole(history, registers),
    ...tableIsSound(history),
    ...oneEffectOfAKey(history),
    ...linksCountWhoJoined(history),
    ...nothingRefusedIsThere(history),
  ];
}
