import type { IncomingHttpHeaders } from 'node:http';
import { equalInConstantTime, newSecret } from '../../shared/model/ids.ts';
import { Refusal } from './problem.ts';

/** Keeps everybody but the operator's own page away from the console. */
export type Guard = ReturnType<typeof createGuard>;

/** @param origin the only one that the console has, such as `http://127.0.0.1:49152` */
export function createGuard(origin: string) {
  const host = new URL(origin).host;
  /** The operator who starts the console gets it, in the address that is printed. */
  const token = newSecret();
  const cookie = newSecret();
  /**
   * The path of the interface. Browsers send a cookie to every port of a host: by its path, which nobody else knows, no
   * other program that listens on this machine is sent this one.
   */
  const path = `/api/${newSecret()}`;

  return {
    token,
    path,
    /** DNS rebinding: a foreign name that leads to this machine is not our name. */
    checkHost({ host: requestHost }: IncomingHttpHeaders): void {
      if (requestHost !== host)
        throw new Refusal(421, 'forbidden', `The console answers as ${host} alone.`);
    },
    /**
     * Cross-site requests: a browser says where one comes from. Who says nothing is no browser, and needs the cookie.
     */
    checkOrigin(method: string, headers: IncomingHttpHeaders): void {
      const { origin: from, 'sec-fetch-site': site } = headers;
      const foreign =
        (from !== undefined && from !== origin) || (site !== undefined && site !== 'same-origin');
      if (foreign || (method !== 'GET' && from === undefined))
        throw new Refusal(403, 'forbidden', 'The console answers its own page alone.');
    },
    /** Exchanges the token for the cookie. */
    enter(candidate: unknown): { 'set-cookie': string } {
      if (typeof candidate !== 'string' || !equalInConstantTime(candidate, token))
        throw new Refusal(
          403,
          'forbidden',
          'This address is not that of the console that runs now.',
        );
      return { 'set-cookie': `console=${cookie}; Path=${path}; HttpOnly; SameSite=Strict` };
    },
    /** The rest of the path of a request to the interface. Throws if it has not the path or the cookie of this run. */
    requireEntered(target: string, headers: IncomingHttpHeaders): string {
      const [, , key = '', ...rest] = target.split('/');
      if (!equalInConstantTime(`/api/${key}`, path)) throw strange();
      const cookies = (headers.cookie ?? '').split(/; */).map((each) => each.split('='));
      if (
        !cookies.some(
          ([name, value = '']) => name === 'console' && equalInConstantTime(value, cookie),
        )
      )
        throw strange();
      return `/${rest.join('/')}`;
    },
  };
}

/** Also for the path of a run that has ended: its page, still open in a tab, has to say what to do. */
const strange = () =>
  new Refusal(401, 'unauthenticated', 'Open the address that the terminal shows.');
