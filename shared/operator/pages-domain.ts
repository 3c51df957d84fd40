import type { Project } from '../access/projects.ts';
import { del, put } from '../db/change.ts';
import { and, attributeUnchanged, exists, where } from '../db/condition.ts';
import { keys } from '../db/keys.ts';
import type { Guard } from './guard.ts';

/** Makes the domain of a project's pages unique, and frees the one that it had. */
export function guardDomain(
  { project_id, pages_domain: before }: Project,
  domain: string | undefined,
): Guard {
  return {
    settingUnchanged: and(exists, attributeUnchanged('pages_domain', before)),
    writes: {
      ...(domain !== undefined && {
        domain: put(
          { ...keys.pagesDomain(domain), project_id },
          where('attribute_not_exists(#pk) OR #project_id = :project_id', { project_id }),
        ),
      }),
      ...(before !== undefined &&
        before !== domain && {
          freed_domain: del(
            keys.pagesDomain(before),
            where('#project_id = :project_id', { project_id }),
          ),
        }),
    },
    refused: new Error(`pages_domain: ${domain} is the domain of another project.`),
  };
}
