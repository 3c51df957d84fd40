import type { ApiError } from './api-error.ts';
import type { User } from './generated/api.ts';

/** Ways to sign in that are no account at a provider. */
const builtInMethods = ['idpw', 'email_code', 'email_link', 'passkey'];

/** Whether somebody has a password, which the service then asks for before it changes how they sign in. */
export const hasPassword = ({ sign_in_methods }: Pick<User, 'sign_in_methods'>): boolean =>
  sign_in_methods?.['idpw']?.enabled ?? false;

/** The providers, by name, at which somebody has linked an account. */
export const linkedProviders = ({ sign_in_methods = {} }: Pick<User, 'sign_in_methods'>) =>
  Object.entries(sign_in_methods)
    .filter(([name, { enabled }]) => enabled && !builtInMethods.includes(name))
    .map(([name]) => name);

/** Whether the service asks for the password: somebody has one, also if this page has not heard of it. */
export const wantsPassword = (error: unknown): boolean =>
  (error as Partial<ApiError>).errors?.some(
    ({ pointer }) => pointer === '/body/current_password',
  ) ?? false;
