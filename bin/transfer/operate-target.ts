import { defaultFolder } from '../../local/environment.ts';
import type { OperatorRequest } from '../../shared/operator/request.ts';
import { requireDataFolder } from '../data-folder.ts';
import { operateAt } from '../operate-at.ts';
import type { Target } from './project-api.ts';

/** Whether the operator function of a target can be called: an address leads only to the API. */
export const hasOperator = ({ stack, local }: Target): boolean =>
  stack !== undefined || local === true;

/**
 * Calls the operator function of a target for which `hasOperator` is true. Throws a `CommandFailure` without a data
 * folder.
 */
export async function operateTarget<T>(target: Target, request: OperatorRequest): Promise<T> {
  const { stack, data = defaultFolder } = target;
  if (stack === undefined) requireDataFolder(data);
  return (await operateAt(stack === undefined ? { folder: data } : { stack }, request)) as T;
}
