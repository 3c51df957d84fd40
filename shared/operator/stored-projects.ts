import type { Project } from '../access/projects.ts';
import { byOperator } from '../db/index-attributes.ts';
import { query } from '../db/query.ts';

/** Reads every project, from the index, which may be a moment behind. */
export async function storedProjects(): Promise<Project[]> {
  const { by_email_pk } = byOperator('');
  const { items } = await query<Project>({
    index: 'by-email',
    partition: by_email_pk,
    prefix: 'PROJECT#',
  });
  return items;
}
