import type { ProjectSummary } from '../../shared/operator/summary.ts';
import { requireDataFolder } from '../data-folder.ts';
import { CommandFailure } from '../flags.ts';

/** Where a secret that the operator sets belongs: to a deployed stack, or to local data. */
export type SecretTarget = { stack: string } | { folder: string };

type Flags = { stack?: string | undefined; local?: boolean | undefined; data?: string | undefined };

/** The target that the flags name. Throws a `CommandFailure`. */
export function requireTarget({ stack, local, data }: Flags): SecretTarget {
  if (local ? stack !== undefined : !stack || data !== undefined)
    throw new CommandFailure('Pass either --stack NAME or --local, and --data with --local alone.');
  if (stack !== undefined) return { stack };
  const folder = data ?? '.data';
  requireDataFolder(folder);
  return { folder };
}

/** The projects there. The files that ask for them are loaded by who needs them alone. */
export async function projectsAt(target: SecretTarget): Promise<ProjectSummary[]> {
  const answer =
    'folder' in target
      ? await (await import('../../local/operator.ts')).operateLocally(
          { action: 'list' },
          target.folder,
        )
      : await (await import('../project/stack.ts')).operateStack({ action: 'list' }, target.stack);
  return (answer as { projects: ProjectSummary[] }).projects;
}

/** Throws a `CommandFailure` if there is no such project. */
export function requireProject(projects: ProjectSummary[], project: string): ProjectSummary {
  const found = projects.find(({ project_id }) => project_id === project);
  if (found) return found;
  throw new CommandFailure(`The project ${project} does not exist.`);
}
