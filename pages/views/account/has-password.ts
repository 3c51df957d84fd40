import type { User } from '../../../client/generated/api.ts';

/** Whether somebody has a password, which the service then asks for before it changes how they sign in. */
export const hasPassword = ({ sign_in_methods }: User): boolean =>
  sign_in_methods?.['idpw']?.enabled ?? false;
