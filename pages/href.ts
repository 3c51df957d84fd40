import { pageUrl } from './address.ts';
import { uiLocales } from './authorization.ts';

/** What links to a page of this project, in the language that this one was asked for. `search` has its query. */
export function hrefOf(name: string, search?: string | Record<string, string>): string {
  const query = new URLSearchParams(search);
  const locales = uiLocales();
  if (locales) query.set('ui_locales', locales);
  const text = query.toString();
  return pageUrl(name) + (text && `?${text}`);
}
