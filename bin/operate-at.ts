import type { OperatorRequest } from '../shared/operator/request.ts';

/** An operator function: that of a deployed stack, or that of the local data in a folder. */
export type OperatorTarget = { stack: string } | { folder: string };

/** Calls the operator function of a target. Loads only the modules for that kind of target. */
export async function operateAt(
  target: OperatorTarget,
  request: OperatorRequest,
): Promise<unknown> {
  if ('stack' in target)
    return (await import('./project/stack.ts')).operateStack(request, target.stack);
  return (await import('../local/operator.ts')).operateLocally(request, target.folder);
}
