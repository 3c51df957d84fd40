import type { Project } from '../access/projects.ts';
import { type Changes, update } from '../db/change.ts';
import { and } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import { ifConditionFails, transact } from '../db/transaction.ts';
import type { Guard } from './guard.ts';
import { guardDomain } from './pages-domain.ts';
import { guardNames } from './provider-names.ts';
import type { RequestOf } from './request.ts';
import { requireProject } from './secrets.ts';
import { lostRace, unknownProject } from './summary.ts';

/**
 * Changes settings of a project, `pages_domain` or `sign_in_providers` among them, and returns the project. Their
 * guards are written in the same transaction, so of two projects that contradict each other at once, one is changed.
 * The same request again is a success. Throws an Error for the operator.
 */
export async function updateGuarded(
  project_id: string,
  settings: Pick<RequestOf<'update'>, 'pages_domain' | 'sign_in_providers'>,
  changes: Changes,
): Promise<Project> {
  const project = await requireProject(project_id);
  const { pages_domain, sign_in_providers } = settings;
  const guards: Guard[] = [
    ...(pages_domain === undefined ? [] : [guardDomain(project, pages_domain ?? undefined)]),
    ...(sign_in_providers === undefined
      ? []
      : [await guardNames(project, sign_in_providers ?? undefined)]),
  ];
  const writing = transact({
    project: update(
      keys.project(project_id),
      changes,
      guards.map(({ settingUnchanged }) => settingUnchanged).reduce((a, b) => and(a, b)),
    ),
    ...Object.assign({}, ...guards.map(({ writes }) => writes)),
  });
  await ifConditionFails(writing, (failed) => {
    if (failed['project'] === null) throw unknownProject(project_id);
    if ('project' in failed) throw lostRace(project_id);
    const refused = guards.find(({ writes }) => Object.keys(writes).some((name) => name in failed));
    // The operator sees no cause: it would carry the stored project.
    throw refused?.refused ?? lostRace(project_id);
  });
  return requireProject(project_id);
}
