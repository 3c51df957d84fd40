import type { Operation } from '../../shared/contract/api.ts';
import type { Call } from './call.ts';

/** Prepares what a case needs and returns the call that is measured, and its status where that is no success. */
export type Prepare = () => Promise<Call & { refused?: number }>;

/** The cases of some endpoints, by name. */
export type Cases = Partial<Record<Operation, Record<string, Prepare>>>;
