import type { Operation } from './api.ts';
import type { fallback } from './fallback.ts';

/** The functions that no client can call. */
export const jobNames = [
  'stream.sort',
  'stream.consume',
  'mail.send',
  'mail.recordFeedback',
  'webhooks.deliver',
  'keys.rotate',
  'projects.admin',
] as const;
export type JobName = (typeof jobNames)[number];

/** A function that API Gateway invokes: that of a route, or the one for all other requests. */
export type EndpointName = Operation | typeof fallback.name;

/** Every function: `group.verb`. */
export type FunctionName = EndpointName | JobName;

/** Source file of a function: `joinLinks.create` is `functions/join-links/create.ts`. */
export const sourceOf = (name: string): string =>
  `functions/${name.replace('.', '/').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
