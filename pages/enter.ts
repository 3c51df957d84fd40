import { bearer } from '../client/client.ts';
import { authorizeUrl } from './authorization.ts';
import { device } from './device.ts';
import { FieldError, isCode } from './failures.ts';
import { hrefOf } from './href.ts';
import { api, begin, renew } from './session.ts';
import { t } from './texts.ts';
import { typedEmail } from './typed-email.ts';

type Started = {
  access_token: string;
  refresh_token: string;
  user: { email: string };
  device_token?: string | undefined;
};

/** Keeps a session that has just begun, and goes on: to the application that asked for it, or to a page. */
export async function enter(session: Started, next?: string) {
  device.keep(session);
  try {
    await begin(session.refresh_token);
    // The next at this browser may be somebody else.
    typedEmail('');
  } catch (error) {
    if (!isCode(error, 'not_found')) throw error;
    return leaveFor(session);
  }
  const url = authorizeUrl(session.user.email) ?? (next && hrefOf(next));
  if (url !== undefined) {
    location.assign(url);
    // The form stays busy while the browser goes.
    return new Promise<never>(() => {});
  }
  await renew();
  return undefined;
}

/** The same, where the account page is the one to go to. */
export const enterAccount = (session: Started) => enter(session, 'account');

/**
 * Goes where the pages of the project are by now: the service leads there, unless the project has none any more. The
 * session that nobody can keep here is ended.
 */
async function leaveFor({ access_token }: Started): Promise<never> {
  await api.sessions.signOut({}, { authorization: bearer(access_token) }).catch(() => {});
  const { type } = await fetch(location.href, { redirect: 'manual' });
  if (type !== 'opaqueredirect') throw new FieldError('', t('error.noPage'));
  // The token of a mailed link goes along, if nothing has used it.
  history.replaceState(null, '', `#${history.state?.fragment ?? ''}`);
  location.reload();
  return new Promise(() => {});
}
