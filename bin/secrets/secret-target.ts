import { defaultFolder } from '../../local/environment.ts';
import type { ProjectSummary } from '../../shared/operator/summary.ts';
import { requireDataFolder } from '../data-folder.ts';
import { CommandFailure } from '../flags.ts';
import { type OperatorTarget, operateAt } from '../operate-at.ts';

type Flags = { stack?: string | undefined; local?: boolean | undefined; data?: string | undefined };

/** The target in the flags. Throws a `CommandFailure`. */
export function requireTarget({ stack, local, data }: Flags): OperatorTarget {
  if (local ? stack !== undefined : !stack || data !== undefined)
    throw new CommandFailure('Pass either --stack NAME or --local, and --data with --local alone.');
  if (stack !== undefined) return { stack };
  const folder = data ?? defaultFolder;
  requireDataFolder(folder);
  return { folder };
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
