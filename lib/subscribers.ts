import type { FunctionName } from '../shared/contract/functions.ts';

/** The functions that every event on the bus invokes, with EventBridge's envelope around it. */
export const subscribers = ['webhooks.deliver'] as const satisfies readonly FunctionName[];
