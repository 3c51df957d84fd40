import { hrefOf } from './address.ts';
import { authorizeUrl } from './authorization.ts';
import { device } from './device.ts';
import { FieldError, isCode } from './failures.ts';
import { begin, renew } from './session.ts';
import { t } from './texts.ts';

type Started = { refresh_token: string; device_token?: string | undefined };

/** Keeps a session that has just begun, and goes on: to the application that asked for it, or to a page. */
export async function enter(started: Started, next?: string) {
  device.keep(started);
  await begin(started.refresh_token).catch((error: unknown) => {
    // The project has no such pages any more.
    throw isCode(error, 'not_found') ? new FieldError('', t('error.noPage')) : error;
  });
  const url = authorizeUrl() ?? (next && hrefOf(next));
  if (url !== undefined) {
    location.assign(url);
    // The form stays busy while the browser goes.
    return new Promise<never>(() => {});
  }
  await renew();
  return undefined;
}
