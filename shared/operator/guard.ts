import type { Write } from '../db/change.ts';
import type { Condition } from '../db/condition.ts';

/** What is written together with a setting of a project that other projects must not contradict. */
export type Guard = {
  /** The project still has the setting that was read. */
  settingUnchanged: Condition;
  /** By names that no other guard has. */
  writes: Record<string, Write>;
  /** The error for the operator where one of the writes is refused. */
  refused: Error;
};
