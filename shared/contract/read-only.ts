import type * as z from 'zod';

/**
 * A read-only field: an update accepts its current value and rejects any other, so that a client may send back the
 * whole resource.
 */
export const readOnlyField = <T extends z.ZodType>(schema: T) =>
  schema.optional().meta({
    readOnly: true,
    description: 'Read-only: omit it or send its current value.',
  });
