import { Server } from 'node:http';

/**
 * Loaded before a local server: whatever port it listens on, its base URL, the issuer of its tokens, is
 * ROLLING_BASE_URL, as two versions behind one API have one.
 */
const baseUrl = process.env['ROLLING_BASE_URL'];
if (!baseUrl) throw new Error('ROLLING_BASE_URL is not set.');
process.env = new Proxy(process.env, {
  set: (target, name, value: string) => {
    target[String(name)] = name === 'BASE_URL' ? baseUrl : value;
    return true;
  },
});

/**
 * Node closes an idle connection after five seconds, which may meet a mail that is just being sent: it is then never
 * sent again, by design. That is no matter of versions, so no connection of a journey becomes that old.
 */
const listen = Reflect.get(Server.prototype, 'listen') as (...args: unknown[]) => Server;
Reflect.set(Server.prototype, 'listen', function (this: Server, ...args: unknown[]) {
  this.keepAliveTimeout = 120_000;
  return listen.apply(this, args);
});
