import { hrefOf } from './address.ts';
import { authorizeUrl } from './authorization.ts';
import { device } from './device.ts';
import { begin, renew } from './session.ts';

type Started = { refresh_token: string; device_token?: string | undefined };

/** Keeps a session that has just begun, and goes on: to the application that asked for it, or to a page. */
export async function enter(started: Started, next?: string) {
  device.keep(started);
  await begin(started.refresh_token);
  const url = authorizeUrl() ?? (next && hrefOf(next));
  if (url !== undefined) {
    location.assign(url);
    // The form stays busy while the browser goes.
    return new Promise<never>(() => {});
  }
  await renew();
  return undefined;
}
