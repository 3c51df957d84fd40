/**
 * Writes many users into the data of a running local service, as the API and the stream's function would have stored
 * them: to try the console or an export with a million users. The service must be idle meanwhile.
 *
 *     npm start -- --data /tmp/many
 *     npm run bench:seed-users -- --data /tmp/many --users 1000000
 */
import { parseArgs } from 'node:util';
import { defaultFolder, tableName } from '../local/environment.ts';
import { operatorOf, projectsFile, readSecrets } from '../local/operator.ts';
import { keys } from '../shared/db/keys.ts';
import { addUsers } from './directory-seed.ts';
import { openEngineFile } from './engine-file.ts';
import { openBenchTable } from './growth-seed.ts';
import { backendOf } from './http.ts';

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string', default: defaultFolder },
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    project: { type: 'string', default: 'demo' },
    users: { type: 'string', default: '1000000' },
  },
});
const { data, url, project: project_id } = flags;
const users = Number(flags.users);
const { [project_id]: secret } = await readSecrets(`${data}/${projectsFile}`);
// Sets the environment for the engine of that service.
if (!secret || !(await operatorOf(data)))
  throw new Error(`No service runs on ${data}, or it has no project ${project_id}.`);
await backendOf({ url, project_id, secret })('POST', '/users', { email: 'model@example.com' });
const table = openBenchTable();
const file = openEngineFile(data, tableName);
const began = performance.now();
const items = await addUsers({ table, file }, project_id, [0, users], users, Date.now());
file.close();
// The totals that the users' events would have counted.
const totals = keys.statsTotals(project_id);
const { users: before = 0 } = (await table.get(totals)) ?? {};
await table.update(totals, { users: Number(before) + users });
table.client.destroy();
const seconds = (performance.now() - began) / 1_000;
console.log(`${users} users, ${items} items in ${Math.round(seconds)} s.`);
