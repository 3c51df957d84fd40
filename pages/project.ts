import type { PublicProject } from '../client/generated/api.ts';
import { projectId } from './address.ts';
import { api } from './session.ts';

/** What everybody may know of the project. */
export let project: PublicProject;

/** @throws ApiError `not_found` if there is no such project, or none that has these pages. */
export async function loadProject(): Promise<void> {
  project = (await api.projects.get({ project_id: projectId })).body;
}
