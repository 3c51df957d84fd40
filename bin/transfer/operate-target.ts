import { defaultFolder } from '../../local/environment.ts';
import type { OperatorRequest } from '../../shared/operator/request.ts';
import { requireDataFolder } from '../data-folder.ts';
import { operateAt } from '../operate-at.ts';
import type { Target } from './project-api.ts';

/** Whether the operator function of a target can be asked: an address alone leads only to the API. */
export const hasOperator = ({ stack, local }: Target): boolean =>
  stack !== undefined || local === true;

/** Asks the operator function of a target, of which `hasOperator`. Throws a `CommandFailure` without a data folder. */
export async function operateTarget<T>(target: Target, request: OperatorRequest): Promise<T> {
  const { stack, data = defaultFolder } = target;
  if (stack === undefined) requireDataFolder(data);
  return (await operateAt(stack === undefined ? { folder: data } : { stack }, request)) as T;
}
