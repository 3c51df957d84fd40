import { sourceOf } from '../model/client-network.ts';
import { normalizeEmail } from '../model/email.ts';

/** What the rates count by. */

/** An account, by its e-mail: one that exists and one that does not are counted alike. */
export const accountOf = (project_id: string, email: string): string =>
  `${project_id} ${normalizeEmail(email)}`;

/** Where requests to a project come from. */
export const originOf = (project_id: string, address: string): string =>
  `${project_id} ${sourceOf(address)}`;
