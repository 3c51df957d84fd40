import { createUDPServer, Packet } from 'dns2';

/** How the server behaves: as it should, as one that has a fault, or as one that is not there. */
type Behaviour = 'answers' | 'fails' | 'is silent';

/**
 * Starts a real name server on the loopback address, and makes it the one that the service asks. It knows the TXT
 * records that it is told, and of every other name that there is none.
 */
export async function startNameServer() {
  const records = new Map<string, string[]>();
  const asked: string[] = [];
  let behaviour: Behaviour = 'answers';
  const server = createUDPServer((request, send) => {
    const [question] = request.questions;
    const name = question?.name ?? '';
    asked.push(name);
    if (behaviour === 'is silent') return;
    const response = Packet.createResponseFromRequest(request);
    const texts = records.get(name.toLowerCase());
    if (behaviour === 'fails') response.header.rcode = Packet.RCODE.SERVFAIL;
    else if (!texts) response.header.rcode = Packet.RCODE.NXDOMAIN;
    for (const data of texts ?? [])
      response.answers.push({
        name,
        type: Packet.TYPE.TXT,
        class: Packet.CLASS.IN,
        ttl: 60,
        data,
      } as (typeof response.answers)[number]);
    void send(response);
  });
  await server.listen(0, '127.0.0.1');
  server.unref();
  const { port } = server.address();
  process.env['DNS_SERVERS'] = `127.0.0.1:${port}`;
  return {
    /** Publishes TXT records under a name, in place of those that there were. */
    publish: (name: string, ...texts: string[]) => records.set(name.toLowerCase(), texts),
    behave: (now: Behaviour) => {
      behaviour = now;
    },
    /** The names that were asked for, in order; one that is repeated comes again. */
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        delete process.env['DNS_SERVERS'];
        server.close(resolve);
      }),
  };
}
