import * as z from 'zod';

/** A permission, `resource:action`. */
export const permission = z
  .string()
  .max(64)
  .regex(
    /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/,
    'Must be resource:action, of lower-case letters, digits and hyphens, each with a letter first',
  )
  .meta({ description: 'A permission: resource and action.', example: 'invoice:read' });
