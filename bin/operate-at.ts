import type { OperatorRequest } from '../shared/operator/request.ts';

/** Where an operator function is: that of a deployed stack, or that of the local data in a folder. */
export type OperatorTarget = { stack: string } | { folder: string };

/** Asks the operator function of a target. The files that it takes are loaded for a target of that kind alone. */
export async function operateAt(
  target: OperatorTarget,
  request: OperatorRequest,
): Promise<unknown> {
  if ('stack' in target)
    return (await import('./project/stack.ts')).operateStack(request, target.stack);
  return (await import('../local/operator.ts')).operateLocally(request, target.folder);
}
