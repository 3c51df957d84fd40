import type { Operation } from './api.ts';

/** The functions that no route calls. `fallback.notFound` serves the `$default` route. */
export const backgroundFunctions = [
  'fallback.notFound',
  'stream.sort',
  'stream.consume',
  'mail.send',
  'mail.recordFeedback',
  'webhooks.deliver',
  'keys.rotate',
  'projects.admin',
] as const;

export type BackgroundFunction = (typeof backgroundFunctions)[number];

/** Every function: `group.verb`. */
export type FunctionName = Operation | BackgroundFunction;

/** Source file of a function: `joinLinks.create` is `functions/join-links/create.ts`. */
export const sourceOf = (name: string): string =>
  `functions/${name.replace('.', '/').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
