import type { SessionItem } from '../../access/live-session.ts';
import type { Project } from '../../access/projects.ts';
import type { Write } from '../../db/change.ts';
import { consumeRateLimit } from '../../db/rate-limits.ts';
import { noticeTo } from '../../mail/mails.ts';
import { ApiError } from '../../model/errors.ts';
import { sha256 } from '../../model/ids.ts';
import { limits } from '../../model/limits.ts';
import type { UserItem } from '../users/users.ts';

type Knowing = Pick<UserItem, 'devices' | 'last_session_id'>;

/**
 * Returns the id of the device of a session: the known device that its device token names, else the newest known device
 * of the same place, else a new id. A new id is derived from the session before this one, so no token of an earlier or
 * forgotten device ever matches it, and two concurrent sign-ins from one place get the same id. Ids of version 0.12.0
 * are the place alone; a longer one of the same place is preferred.
 *
 * @param user as before the session
 */
export function deviceOf({ devices = [], last_session_id }: Knowing, session: SessionItem): string {
  const { device, session_id } = session;
  if (device !== undefined && devices.includes(device)) return device;
  const place = placeOf(session);
  const here = devices.filter((each) => each.startsWith(place));
  return (
    here.findLast((each) => each !== place) ??
    here.at(-1) ??
    place + sha256(last_session_id ?? session_id).slice(0, 6)
  );
}

/**
 * A fingerprint of the program without its version, and the first parts of the network address. A new version of a
 * program, or a new address of the same provider, is the same place.
 */
function placeOf({ user_agent = '', address = '' }: SessionItem): string {
  const program = user_agent.replaceAll(/\S*\d\S*/g, '');
  const region = address.split(/[.:]/, 2).join(' ');
  return sha256(`${program}\n${region}`).slice(0, 8);
}

/** The known devices of a user after this session started. Its own is the last. */
export function withDevice(user: Knowing, session: SessionItem): { devices: string[] } {
  const { devices = [] } = user;
  const device = deviceOf(user, session);
  const others = devices.filter((each) => each !== device);
  return { devices: [...others, device].slice(-limits.devicesPerUser) };
}

/**
 * The known devices of a user whose sessions end, as a part of the changes of the user: those of the sessions that
 * stay. Every other one is new the next time, whatever its token says. Without the attribute the first device would be
 * known.
 */
export const forgetDevices = (
  user: Knowing,
  staying: readonly SessionItem[] = [],
): { devices?: string[] } => {
  const { devices } = user;
  const kept = new Set(staying.map((each) => deviceOf(user, each)));
  return devices ? { devices: devices.filter((each) => kept.has(each)) } : {};
};

/**
 * What the start of a session writes for its device: the known devices, and a mail if the user has known devices and
 * this is a new one. Of two concurrent starts one may overwrite the device of the other; then that device is mailed
 * again.
 */
export async function recordDevice(
  user: UserItem,
  session: SessionItem,
  project: Project,
  now: Date,
): Promise<{ set: { devices: string[] }; writes: { notice?: Write } }> {
  const set = withDevice(user, session);
  const device = set.devices.at(-1) ?? '';
  const isKnown = user.devices === undefined || user.devices.includes(device);
  const mailsNewDevices = project.new_device_mail ?? true;
  if (isKnown || !mailsNewDevices || !user.verified.email || !(await mayMail(user.uid, now)))
    return { set, writes: {} };
  const { user_agent = '', address = '' } = session;
  return { set, writes: noticeTo(user, 'new_device', { user_agent, address }, now) };
}

/**
 * Consumes the rate limit of these mails, or returns false: an attacker who varies the user agent must not fill the
 * mailbox.
 */
async function mayMail(uid: string, now: Date): Promise<boolean> {
  try {
    await consumeRateLimit('newDeviceMails', uid, now);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'too_many_requests') return false;
    throw error;
  }
}
