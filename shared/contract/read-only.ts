import type * as z from 'zod';

/** A field that a change takes as it was read and refuses otherwise, so that a client may send the whole resource. */
export const readOnlyField = <T extends z.ZodType>(schema: T) =>
  schema.optional().meta({
    readOnly: true,
    description: 'Read-only: omit it or send its current value.',
  });
