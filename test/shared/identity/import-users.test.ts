import { expect, test } from 'vitest';
import { exception, resetAfter } from '../../faults/fault.ts';
import { startFaultyWorld } from '../../support/faulty-world.ts';
import { hashesOf } from '../../support/imported-hashes.ts';

const { faults, world } = await startFaultyWorld();

const google = {
  issuer: 'https://accounts.google.com',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  client_ids: ['client'],
};

test('a user is imported completely or not at all, whichever call to the table is cut off', async () => {
  const project = await world.newProject({ identity_providers: { google } });
  for (let cut = 0; cut < 6; cut += 1) {
    const row = {
      ...{ email: `cut-${cut}@example.com`, external_id: `cut-${cut}` },
      identities: [{ provider: 'google', subject: `cut-${cut}` }],
      password_hash: hashesOf.scrypt('x'),
    };
    let seen = 0;
    faults.inject(resetAfter, { when: () => seen++ === cut });
    await world.as(project).users.import({ users: [row] });
    faults.reset();
    const { body } = await world.as(project).users.import({ users: [row] });
    const [{ outcome, uid = '' } = { outcome: '' }] = body.results;
    expect(['created', 'exists']).toContain(outcome);
    const items = await world.table.query(`USER#${uid}`);
    expect(new Set(items.map(({ sk }) => sk))).toEqual(new Set(['PASSWORD', 'USER']));
    const found = await world.as(project).users.list({ email: row.email });
    expect(found.body.result.map((user: { uid: string }) => user.uid)).toEqual([uid]);
  }
});

test('during a long failure of the table each user is imported completely or not at all; a retry imports the rest', async () => {
  const project = await world.newProject();
  const rows = Array.from({ length: 12 }, (_, n) => ({
    email: `lasting-${n}@example.com`,
    external_id: `lasting-${n}`,
  }));
  for (const good of [3, 11]) {
    const users = rows.map((row) => ({
      email: `${good}-${row.email}`,
      external_id: `${good}-${row.external_id}`,
    }));
    let transactions = 0;
    const isLater = ({ operation }: { operation: string }) =>
      operation === 'TransactWriteItems' && ++transactions > good;
    faults.inject(exception('InternalServerError', 500), { times: Infinity, when: isLater });
    const { status, body } = await world.as(project).users.import({ users });
    faults.reset();
    if (status === 200) expect(body).toMatchObject({ created: good, unprocessed: 12 - good });
    else expect(status).toBe(503);
    const { body: after } = await world.as(project).users.import({ users });
    expect(after).toMatchObject({ created: 12 - good, exists: good, failed: 0, unprocessed: 0 });
  }
});
