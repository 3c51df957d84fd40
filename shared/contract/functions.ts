import type { Operation } from './api.ts';

/** The functions that no route of the contract calls. `fallback.answer` stands behind the `$default` route. */
export const backgroundFunctions = [
  'fallback.answer',
  'stream.sort',
  'stream.consume',
  'mail.send',
  'mail.recordFeedback',
  'webhooks.deliver',
  'keys.rotate',
  'projects.operate',
] as const;

export type BackgroundFunction = (typeof backgroundFunctions)[number];

/** Every function: `group.verb`, whose source is `functions/group/verb.ts`. */
export type FunctionName = Operation | BackgroundFunction;
