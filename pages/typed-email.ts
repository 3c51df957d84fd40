import { query } from './address.ts';

/**
 * The e-mail that the application names or somebody has typed, for the other ways to sign in and the other pages of this
 * tab, until they are signed in.
 *
 * @param email keeps this one
 */
export function typedEmail(email?: string | null): string {
  try {
    return (sessionStorage['email'] = email ?? sessionStorage['email'] ?? '') as string;
  } catch {
    // Blocked by the browser: it is typed again.
    return '';
  }
}
typedEmail(query.get('login_hint'));
