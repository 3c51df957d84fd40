// Loaded into every function of the emulator (NODE_OPTIONS): the rest of the internet, as far as the journeys need it.
// One public name leads to a receiver of webhooks on this machine. The service still judges the name's public address
// itself, by its own lookup, and verifies the receiver's certificate; only then is the connection led astray.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const name = 'hooks.example.com';
const address = '93.184.215.14';
const port = Number(process.env.RECEIVER_PORT);

const { lookup } = dns;
dns.lookup = (host, options, callback) =>
  host === name
    ? process.nextTick(callback, null, [{ address, family: 4 }])
    : lookup(host, options, callback);

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  // Node passes the normalised options in an internal array.
  const [first] = args;
  const options = Array.isArray(first) ? first[0] : first;
  if (options?.host !== name) return connect.apply(this, args);
  const judged = (host, wanted, callback) =>
    options.lookup(host, wanted, (error) => {
      if (error) callback(error);
      else if (wanted.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    });
  return connect.call(this, { ...options, port, lookup: judged }, ...args.slice(1));
};
syncBuiltinESMExports();
