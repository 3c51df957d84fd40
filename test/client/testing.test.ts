/** @module-tag proof */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectToService, startService } from '../../client/testing.ts';
import { serve } from '../support/serve.ts';
import { goodPassword } from '../support/sign-in.ts';

/** The testing entry point for applications: the service as `npm start` runs it, in a child process. */
const folder = process.cwd();
const origin = 'http://localhost:5173';
let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService({ folder, projects: ['shop', 'shop-eu'], cors: [origin] });
});
afterAll(() => service.stop());

const newEmail = () => `user-${crypto.randomUUID()}@testing.example.com`;

describe('a signed-in user', () => {
  test('has a verified e-mail and their own operations', async () => {
    const { projectId, signIn, backend } = service.project();
    expect(projectId).toBe('shop');
    const { user, session, api } = await signIn({ display_name: 'Ada' });
    expect(user).toMatchObject({ display_name: 'Ada', verified: { email: true } });
    expect((await api.users.getMe()).body.uid).toBe(user.uid);
    expect(await backend.verify(session.access_token)).toMatchObject({ sub: user.uid });
  });

  test('is the same user for the same e-mail, and another user in another project', async () => {
    const email = newEmail();
    const first = await service.project('shop').signIn({ email });
    const again = await service.project('shop').signIn({ email });
    const elsewhere = await service.project('shop-eu').signIn({ email });
    expect(again.user.uid).toBe(first.user.uid);
    expect(elsewhere.user.uid).not.toBe(first.user.uid);
    expect(() => service.project('shop-us')).toThrow("a project 'shop-us'");
  });
});

describe('mails', () => {
  test('codeTo waits for a code and returns each once', async () => {
    const { backend, projectId } = service.project();
    const email = newEmail();
    const codes: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const { body } = await backend.api.codes.start({ project_id: projectId, email });
      const code = await service.codeTo(email);
      const { challenge_id } = body;
      await backend.api.codes.verify({ project_id: projectId, challenge_id, code });
      codes.push(code);
    }
    expect(codes).toHaveLength(2);
  });

  test('linkTo finds the link of a mail, with its token', async () => {
    const { backend, projectId } = service.project();
    const email = newEmail();
    await backend.api.passwords.signUp({ project_id: projectId, email });
    const link = new URL(await service.linkTo(email));
    const token = new URLSearchParams(link.hash.slice(1)).get('token') ?? '';
    const password = goodPassword;
    const { body } = await backend.api.passwords.set({ project_id: projectId, token, password });
    expect(body.user.email).toBe(email);
  });
});

test('event waits for an event, and also finds earlier ones', async () => {
  const { signIn, event, backend } = service.project('shop-eu');
  const { user } = await signIn();
  const created = await event(
    ({ type, data }) => type === 'user.created' && data.user?.uid === user.uid,
  );
  const later = event(({ type }) => type === 'workspace.created');
  const { workspaces } = backend.api;
  const { body: workspace } = await workspaces.create({ name: 'Engines', owner_id: user.uid });
  expect(await later).toMatchObject({ workspace_id: workspace.workspace_id });
  expect(await event(({ data }) => data.user?.uid === user.uid)).toEqual(created);
});

describe.concurrent('what does not come', () => {
  test('a mail is an error with the address', async () => {
    await expect(service.mailTo('nobody@example.com')).rejects.toThrow(
      'No message was mailed to nobody@example.com within 10 s.',
    );
  });

  test('an event is an error', async () => {
    await expect(service.project().event(() => false)).rejects.toThrow('No such event');
  });
});

test('pages of the given origins may call the service', async () => {
  const response = await fetch(`${service.url}/users/me`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET' },
  });
  expect(response.headers.get('access-control-allow-origin')).toBe(origin);
});

describe('a service that is already running', () => {
  test('is connected to, with its first project', async () => {
    const { project, url } = await connectToService(`${service.url}/`);
    expect(url).toBe(service.url);
    expect(project()).toMatchObject({ projectId: 'shop', secret: service.project().secret });
    expect((await project().signIn()).user.verified.email).toBe(true);
  });

  test('is an error if something else responds', async () => {
    const url = await serve((_, response) => response.writeHead(404).end());
    await expect(connectToService(url)).rejects.toThrow('there is no local service');
  });
});

describe('a service that does not start', () => {
  test('is an error with its output', async () => {
    await expect(startService({ folder, projects: ['Not an id'] })).rejects.toThrow(
      "--project 'Not an id' is not a valid project id",
    );
  });

  test.each(['/no/such/folder', import.meta.dirname])(
    'is an error for the folder %s',
    async (other) => {
      await expect(startService({ folder: other })).rejects.toThrow(
        `The service in ${other} did not start: it is no checkout of the service.`,
      );
    },
  );
});

describe('the service ends with', () => {
  const isGone = (url: string) =>
    fetch(url).then(
      () => false,
      () => true,
    );

  test.each([
    ['ends', 'process.exit(0);'],
    ['is sent SIGTERM', "process.kill(process.pid, 'SIGTERM');"],
    ['is sent SIGKILL', "process.kill(process.pid, 'SIGKILL');"],
  ])('a process that %s', async (_, last) => {
    const script = `
    import { writeSync } from 'node:fs';
    import { startService } from '${folder}/client/testing.ts';
    const { url } = await startService({ folder: '${folder}' });
    writeSync(1, url);
    ${last}`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const [url] = (await once(child.stdout, 'data')) as [Buffer];
    await exited;
    await expect.poll(() => isGone(url.toString()), { timeout: 5_000 }).toBe(true);
  });

  test('a worker thread that is terminated while its process continues', async () => {
    const script = `
    import('${folder}/client/testing.ts').then(async ({ startService }) => {
      const { url } = await startService({ folder: '${folder}' });
      require('node:worker_threads').parentPort.postMessage(url);
    });`;
    const worker = new Worker(script, { eval: true, execArgv: [] });
    const [url] = (await once(worker, 'message')) as [string];
    expect(await isGone(url)).toBe(false);
    await worker.terminate();
    await expect.poll(() => isGone(url), { timeout: 5_000 }).toBe(true);
  });
});
