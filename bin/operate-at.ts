import { defaultFolder } from '../local/environment.ts';
import type { OperatorRequest } from '../shared/operator/request.ts';
import { CommandFailure } from './flags.ts';

/** An operator function: that of a deployed stack, or that of the local data in a folder. */
export type OperatorTarget = { stack: string } | { folder: string };

type Flags = { stack?: string | undefined; local?: boolean | undefined; data?: string | undefined };

/**
 * The operator function that the flags name. Never both: a request meant for the local data must not reach a stack.
 * Throws a `CommandFailure`.
 */
export function requireOperatorTarget({ stack, local, data }: Flags): OperatorTarget {
  if (local && stack !== undefined)
    throw new CommandFailure(
      'Pass either --local (local data) or --stack (a deployed stack), not both.',
    );
  if (local) return { folder: data ?? defaultFolder };
  if (data !== undefined) throw new CommandFailure('Pass --data only together with --local.');
  if (!stack) throw new CommandFailure('Pass --stack NAME or --local.');
  return { stack };
}

/** Calls the operator function of a target. Loads only the modules for that kind of target. */
export async function operateAt(
  target: OperatorTarget,
  request: OperatorRequest,
): Promise<unknown> {
  if ('stack' in target)
    return (await import('./project/stack.ts')).operateStack(request, target.stack);
  return (await import('../local/operator.ts')).operateLocally(request, target.folder);
}
