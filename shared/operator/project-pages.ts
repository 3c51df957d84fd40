import type { OperatorRequest } from './request.ts';
import type { ProjectSummary } from './summary.ts';

/** Projects by their ids. `next`: the last one, if more follow. */
export type ProjectPage = { projects: ProjectSummary[]; next?: string };

/** Calls the operator function; for a list of projects once for each of its pages, and returns them together. */
export async function callOperator(
  request: OperatorRequest,
  invoke: (request: OperatorRequest) => Promise<unknown>,
): Promise<unknown> {
  if (request.action !== 'list') return invoke(request);
  const projects: ProjectSummary[] = [];
  let page = (await invoke(request)) as ProjectPage;
  projects.push(...page.projects);
  while (page.next !== undefined) {
    page = (await invoke({ ...request, after: page.next })) as ProjectPage;
    projects.push(...page.projects);
  }
  return { projects };
}
