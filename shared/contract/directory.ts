import * as z from 'zod';
import { filledLine, timestamp } from '../model/fields.ts';
import { limits } from '../model/limits.ts';

/** The filters of the lists of all users and of all workspaces of a project. */

/** By creation. */
export const creation = {
  order: z.enum(['desc', 'asc']).optional().meta({
    description: 'By creation; default `desc`, the newest first.',
  }),
  created_after: timestamp.optional().meta({ description: 'Only those created after this time.' }),
  created_before: timestamp
    .optional()
    .meta({ description: 'Only those created before this time.' }),
};

export const searchText = filledLine(limits.name).optional();

type Filters = Record<string, unknown>;

/** Refuses every filter that stands beside one that it has no sense with, once each is right by itself. */
export const alone =
  (name: string, ...others: readonly string[]) =>
  ({ value, issues }: z.core.ParsePayload<Filters>): void => {
    if (value[name] === undefined || issues.length > 0) return;
    for (const other of others)
      if (value[other] !== undefined)
        issues.push({
          code: 'custom',
          path: [other],
          message: `Not allowed together with ${name}`,
          input: value[other],
        });
  };
