import { createUDPServer, Packet } from 'dns2';

/** Answers correctly, answers SERVFAIL, or does not answer. */
type Behaviour = 'answers' | 'fails' | 'is silent';

/**
 * Starts a real name server on the loopback address and configures the service to use it. It has the published TXT
 * records and answers NXDOMAIN for every other name.
 */
export async function startNameServer() {
  const records = new Map<string, string[]>();
  const queries: string[] = [];
  let behaviour: Behaviour = 'answers';
  const server = createUDPServer((request, send) => {
    const [question] = request.questions;
    const name = question?.name ?? '';
    queries.push(name);
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
    /** Publishes TXT records under a name and replaces earlier ones. */
    publish: (name: string, ...texts: string[]) => records.set(name.toLowerCase(), texts),
    behave: (now: Behaviour) => {
      behaviour = now;
    },
    /** The queried names in order, with repetitions. */
    queries,
    close: () =>
      new Promise<void>((resolve) => {
        delete process.env['DNS_SERVERS'];
        server.close(resolve);
      }),
  };
}
