import type { Project } from '../access/projects.ts';
import { type Changes, ConditionFailed, del, put, update } from '../db/change.ts';
import { where } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { transact } from '../db/transaction.ts';
import { requireProject } from './secrets.ts';
import { lostRace, unknownProject } from './summary.ts';

/**
 * Changes settings of a project, its domain among them, and returns the project. A guard, written in the same
 * transaction, makes the domain unique: of two projects that take one at once, one gets it. The same request again is
 * a success. Throws an Error for the operator.
 */
export async function moveToDomain(
  project_id: string,
  domain: string | undefined,
  changes: Changes,
): Promise<Project> {
  const { pages_domain: before } = await requireProject(project_id);
  const asRead = before
    ? where('#pages_domain = :before', { before })
    : where('attribute_exists(#pk) AND attribute_not_exists(#pages_domain)');
  const ours = where('#project_id = :project_id', { project_id });
  const guard = domain !== undefined && {
    guard: put(
      { ...keys.pagesDomain(domain), project_id },
      where('attribute_not_exists(#pk) OR #project_id = :project_id', { project_id }),
    ),
  };
  const freed = before !== undefined &&
    before !== domain && { freed: del(keys.pagesDomain(before), ours) };
  try {
    await transact({
      project: update(keys.project(project_id), changes, asRead),
      ...guard,
      ...freed,
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.failed['project'] === null) throw unknownProject(project_id);
    if ('project' in error.failed || !('guard' in error.failed)) throw lostRace(project_id);
    // The operator sees no cause: it would carry the stored project.
    throw taken(domain);
  }
  return requireProject(project_id);
}

const taken = (domain: string | undefined) =>
  new Error(`pages_domain: ${domain} is the domain of another project.`);
