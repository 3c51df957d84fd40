import type { OperatorRequest } from './request.ts';
import type { ProjectSummary } from './summary.ts';

/** Projects by their ids. `next`: the last one, if more follow. */
export type ProjectPage = { projects: ProjectSummary[]; next?: string };

/** Calls the operator function; to list the projects as often as there are pages, which makes one answer of them. */
export async function callOperator(
  request: OperatorRequest,
  invoke: (request: OperatorRequest) => Promise<unknown>,
): Promise<unknown> {
  if (request.action !== 'list') return invoke(request);
  const projects: ProjectSummary[] = [];
  for (let next: string | undefined, more = true; more; more = next !== undefined) {
    const page = (await invoke({
      ...request,
      ...(next !== undefined && { after: next }),
    })) as ProjectPage;
    projects.push(...page.projects);
    next = page.next;
  }
  return { projects };
}
