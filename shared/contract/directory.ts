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
