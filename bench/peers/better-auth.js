/**
 * The peer: better-auth with its organization plugin, in a process of its own, on SQLite or PostgreSQL. It seeds itself
 * with the users of the benchmark, and reports its address, a session and the ids to its parent.
 *
 *     node better-auth.js sqlite FILE people own crowds
 *     node better-auth.js postgresql URL people own crowds
 */
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { bearer, organization } from 'better-auth/plugins';
import pg from 'pg';

const [kind, where, people, own, crowds] = process.argv.slice(2);

function open() {
  if (kind === 'postgresql') return new pg.Pool({ connectionString: where });
  const database = new DatabaseSync(where);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  return database;
}

const options = {
  database: open(),
  baseURL: 'http://127.0.0.1',
  secret: 'of a benchmark, which nobody else can reach',
  emailAndPassword: { enabled: true, autoSignIn: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  // The benchmark is not a browser.
  advanced: { disableCSRFCheck: true, disableOriginCheck: true },
  plugins: [bearer(), organization({ membershipLimit: 100_000, organizationLimit: 100_000 })],
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const auth = betterAuth(options);

/** A user with a session. */
async function signUp(i) {
  const { headers, response } = await auth.api.signUpEmail({
    returnHeaders: true,
    body: {
      email: `person.number-${i}@example.com`,
      name: `Person Number ${i}`,
      password: 'of a benchmark',
      image: `https://images.example.com/people/${i}/thumbnail.png`,
    },
  });
  return { id: response.user.id, token: headers.get('set-auth-token') };
}
const users = [];
for (let i = 0; i < Number(people); i += 1) users.push(await signUp(i));
const [me] = users;
const last = users.at(-1);

let slug = 0;
const create = async (userId) => {
  slug += 1;
  const made = await auth.api.createOrganization({
    body: { name: 'Bench', slug: `seed-${slug}`, userId },
  });
  return made.id;
};
const organizations = [];
for (let i = 0; i < Number(own); i += 1) organizations.push(await create(me.id));
const [big] = organizations;
for (const { id: userId } of users.slice(1))
  await auth.api.addMember({ body: { userId, organizationId: big, role: 'member' } });
const empty = [];
for (let i = 0; i < Number(crowds); i += 1) empty.push(await create(last.id));

const handle = toNodeHandler(auth);
const server = createServer(async (request, response) => {
  if (request.url !== '/add') return handle(request, response);
  // Members are added through its server-side API; it has no endpoint for that.
  let text = '';
  for await (const chunk of request) text += chunk;
  const body = JSON.parse(text);
  const member = await auth.api.addMember({ body });
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(member));
});
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  process.send?.({
    url,
    tokens: users.map(({ token }) => token),
    uids: users.map(({ id }) => id),
    big,
    empty,
  });
});
