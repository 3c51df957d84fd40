import type { ProjectSummary } from '../../shared/operator/summary.ts';
import { requireDataFolder } from '../data-folder.ts';
import { CommandFailure } from '../flags.ts';
import { type OperatorTarget, operateAt, requireOperatorTarget } from '../operate-at.ts';

/** The target in the flags, which exists. Throws a `CommandFailure`. */
export function requireTarget(flags: Parameters<typeof requireOperatorTarget>[0]): OperatorTarget {
  const target = requireOperatorTarget(flags);
  if ('folder' in target) requireDataFolder(target.folder);
  return target;
}

/** A project of the target. Throws a `CommandFailure` if there is no such project. */
export async function requireProject(
  target: OperatorTarget,
  project: string,
): Promise<ProjectSummary> {
  const answer = await operateAt(target, { action: 'list' });
  const { projects } = answer as { projects: ProjectSummary[] };
  const found = projects.find(({ project_id }) => project_id === project);
  if (found) return found;
  throw new CommandFailure(`The project ${project} does not exist.`);
}
