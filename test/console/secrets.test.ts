import { afterEach, expect, test, vi } from 'vitest';
import { createRunSecrets } from '../../bin/transfer/run-secrets.ts';
import { startWorld } from '../support/world.ts';
import { startStage } from './stage.ts';

/** The lifecycle of the console's secrets, which are never shown. */
const world = await startWorld();
const stages: { close: () => Promise<string[]> }[] = [];
const start = async (
  ...more: Parameters<typeof startStage> extends [unknown, ...infer R] ? R : never
) => {
  const stage = await startStage(world, ...more);
  stages.push(stage);
  return stage;
};
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
  vi.restoreAllMocks();
});
type Listed = { secret_id: string; name?: string; expires_at?: string };
const secretsOf = async (project_id: string) =>
  ((await world.operate({ action: 'list-secrets', project_id })) as { secrets: Listed[] }).secrets;

test('a run has one secret for each project, which is named, expires and is revoked at the end', async () => {
  const { project_id } = await world.newProject();
  const stage = await start();
  const { call } = await stage.entered();
  expect(await secretsOf(project_id)).toHaveLength(1);
  const asked = Array.from({ length: 5 }, () => call(`/projects/${project_id}/users`));
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
  const [own, ...others] = await secretsOf(project_id);
  expect(others).toHaveLength(1);
  expect(own).toMatchObject({ name: 'console' });
  const left = Date.parse(own?.expires_at ?? '') - Date.now();
  expect(left).toBeGreaterThan(3_500_000);
  expect(left).toBeLessThanOrEqual(3_600_000);
  expect(await stage.close()).toEqual([]);
  expect(await secretsOf(project_id)).toEqual(others);
});

test('no response and no log line contains a secret, or a digest of one', async () => {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((line) => Boolean(written.push(String(line))));
  const { project_id } = await world.newProject();
  const stage = await start();
  const { call, post } = await stage.entered();
  const ofProject = `/projects/${project_id}`;
  const answers = [
    await call('/target'),
    await post('/operator', { action: 'list' }),
    await post('/operator', { action: 'list-secrets', project_id }),
    await post('/operator', { action: 'create', name: 'Made by the console' }),
    await post('/operator', { action: 'update', project_id, name: 'Renamed' }),
    await post('/operator', { action: 'update', project_id: 'missing', name: 'Renamed' }),
    await call(`${ofProject}/users`),
    await call(`${ofProject}/missing`),
    await call(`${ofProject}/users?limit=0`),
    await call('/projects/missing/users'),
    await call(`/newest/${project_id}`),
    await call('/mails'),
    await stage.enter('wrong'),
    await stage.ask('/'),
  ];
  const shown = [...written, ...(await Promise.all(answers.map((answer) => answer.text())))];
  for (const { headers } of answers) shown.push(JSON.stringify([...headers]));
  const secrets = stage.operated.flatMap(({ answer }) => {
    const { secret } = answer as { secret?: string };
    return secret === undefined ? [] : [secret];
  });
  expect(secrets).toHaveLength(2);
  for (const text of shown) {
    expect(text).not.toMatch(/wsk_|sha256|cursor_key/);
    for (const secret of secrets) {
      expect(text).not.toContain(secret.slice(4, -6));
      expect(text).not.toContain(btoa(`${project_id}:${secret}`));
    }
  }
});

test('a project created by the console has no secret left: the first one is revoked unseen', async () => {
  const { post } = await (await start()).entered();
  const answer = await post('/operator', { action: 'create', name: 'Fresh' });
  const { project_id, ...shown } = (await answer.json()) as { project_id: string };
  expect(shown).toMatchObject({ name: 'Fresh', secrets: [] });
  expect(await secretsOf(project_id)).toEqual([]);
});

test('replaces a secret that was revoked elsewhere', async () => {
  const { project_id } = await world.newProject();
  const stage = await start();
  const { call } = await stage.entered();
  await call(`/projects/${project_id}/users`);
  const [own] = await secretsOf(project_id);
  await world.operate({ action: 'revoke-secret', project_id, secret_id: own?.secret_id });
  // An instance rejects it within a minute; here, at its next read of the project.
  const [now, begun] = [Date.now() + 61_000, performance.now()];
  vi.useFakeTimers({ toFake: ['Date'], now });
  // The clock advances, because the console waits until instances accept the next secret.
  const clock = setInterval(() => vi.setSystemTime(now + performance.now() - begun), 10);
  try {
    expect((await call(`/projects/${project_id}/users`)).status).toBe(200);
  } finally {
    clearInterval(clock);
    vi.useRealTimers();
  }
  const [next] = await secretsOf(project_id);
  expect(next).toMatchObject({ name: 'console' });
  expect(next?.secret_id).not.toBe(own?.secret_id);
});

test('409 for a project with ten secrets, with advice for the operator', async () => {
  const { project_id } = await world.newProject();
  for (let i = 0; i < 9; i += 1) await world.operate({ action: 'create-secret', project_id });
  const { call, post } = await (await start()).entered();
  const refused = await call(`/projects/${project_id}/users`);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    detail: expect.stringContaining('revoke one first'),
  });
  // This needs no secret, and is sufficient.
  const [last] = await secretsOf(project_id);
  const revoke = { action: 'revoke-secret', project_id, secret_id: last?.secret_id };
  expect((await post('/operator', revoke)).status).toBe(200);
  expect((await call(`/projects/${project_id}/users`)).status).toBe(200);
});

test('502 names a service that refuses the secret, and no further secrets are created for it', async () => {
  const { project_id } = await world.newProject();
  const { createServer } = await import('node:http');
  const { listenOnLoopback } = await import('../../local/loopback.ts');
  let asked = 0;
  const other = createServer((_, response) => {
    asked += 1;
    response.writeHead(401).end();
  });
  const service = await listenOnLoopback(other);
  const stage = await start({ service });
  const { call } = await stage.entered();
  const answer = await call(`/projects/${project_id}/users`);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining(service) });
  expect(asked).toBe(2);
  const made = stage.operated.length;
  // A page that keeps sending requests must not fill the project with secrets.
  for (const path of [`/projects/${project_id}/users`, `/newest/${project_id}`]) {
    const again = await call(path);
    expect(again.status).toBe(502);
    expect(await again.json()).toMatchObject({ detail: expect.stringContaining(service) });
  }
  expect(asked).toBe(2);
  expect(stage.operated).toHaveLength(made);
  other.close();
  other.closeAllConnections();
  const another = await world.newProject();
  const gone = await call(`/projects/${another.project_id}/users`);
  expect(gone.status).toBe(502);
  expect(await gone.json()).toMatchObject({ code: 'temporarily_unavailable' });
});

test('replaces a secret before it expires, and retries a failed creation', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const asked: object[] = [];
  let fails = true;
  const secrets = createRunSecrets(
    async (request) => {
      asked.push(request);
      if (fails) throw new Error('Access denied.');
      const secret_id = `0000000${asked.length}`;
      return { secret: `s${asked.length}`, secrets: [{ secret_id }] };
    },
    { name: 'console', pause: 0 },
  );
  try {
    await expect(secrets.authorization('acme')).rejects.toThrow('Access denied.');
    fails = false;
    const first = await secrets.authorization('acme');
    vi.setSystemTime(Date.now() + 3_299_000);
    expect(await secrets.authorization('acme')).toBe(first);
    vi.setSystemTime(Date.now() + 1_000);
    expect(await secrets.authorization('acme')).not.toBe(first);
    fails = true;
    const left = await secrets.close();
    expect(left).toHaveLength(2);
    expect(left[0]).toContain('00000002 of acme was not revoked (Access denied.)');
  } finally {
    vi.useRealTimers();
  }
});
