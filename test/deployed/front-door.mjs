// Loaded into the commands of the operator (NODE_OPTIONS): the name of the deployed API, which need not resolve here,
// leads to the front door, which hands each request on and keeps what came of it.
import net from 'node:net';

const port = Number(process.env.FRONT_DOOR_PORT);
const name = process.env.FRONT_DOOR_FOR;

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  // Node passes the normalised options in an internal array.
  const [first] = args;
  const options = Array.isArray(first) ? first[0] : first;
  if (options?.host !== name) return connect.apply(this, args);
  return connect.call(this, { ...options, host: '127.0.0.1', port }, ...args.slice(1));
};
