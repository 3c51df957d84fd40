import * as z from 'zod';
import { timestamp } from '../model/fields.ts';
import { user } from '../model/user-resources.ts';
import { readOnlyField } from './read-only.ts';

const { shape } = user;
/** Fields of a user that this API does not change; also the name under which search returns `display_name`. */
export const readOnlyUserFields = {
  uid: readOnlyField(shape.uid),
  project_id: readOnlyField(shape.project_id),
  displayed_name: readOnlyField(shape.display_name),
  social: readOnlyField(shape.social),
  sign_in_methods: readOnlyField(z.record(z.string(), z.strictObject({ enabled: z.boolean() }))),
  verified: readOnlyField(z.strictObject(shape.verified.shape)),
  address: readOnlyField(shape.address),
  wallet: readOnlyField(z.strictObject(shape.wallet.shape)),
  created_at: readOnlyField(shape.created_at),
  modified_at: readOnlyField(shape.modified_at),
  last_sign_in_at: readOnlyField(timestamp),
};

/** `true` agrees now; a time is accepted as it was read. */
export const agreed = z
  .union([z.literal(true), timestamp], 'Must be true, or the time as returned by the API')
  .optional();
