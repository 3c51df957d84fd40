/**
 * @module-tag proof
 * @module-tag alone
 */
import { once } from 'node:events';
import { cpSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openData } from '../../local/engine/data.ts';
import { startEngine } from '../../local/engine/engine.ts';
import { isAlive } from '../../local/process.ts';
import { developmentXpub } from '../../shared/identity/wallet/development-wallet.ts';
import { deriveAddress } from '../../shared/identity/wallet/wallet.ts';
import { newFolder } from '../support/folder.ts';
import { backgroundPid, createUser, post, type Ready, serve } from '../support/server.ts';
import { servers } from './servers.ts';

const { own, serve: serveOwn, onFolder, enginePid } = servers();

async function untilGone(pid: number) {
  for (let waited = 0; isAlive(pid) && waited < 5000; waited += 20) await sleep(20);
  return !isAlive(pid);
}

describe('stopping', () => {
  test.each(['SIGINT', 'SIGHUP'] as const)(
    '%s ends the server and all its processes',
    async (signal) => {
      const { child, exit } = await onFolder();
      const pids = [enginePid(), backgroundPid(child)];
      expect(pids.map(isAlive)).toEqual([true, true]);
      child.kill(signal);
      expect((await exit).code).toBe(0);
      expect(pids.map(isAlive)).toEqual([false, false]);
    },
  );

  test.each([
    ['SIGTERM', 0],
    ['SIGKILL', null],
  ] as const)(
    '%s leaves no process; a restart has the same data and secrets, in files for their owner only',
    { tags: 'engine' },
    async (signal, code) => {
      own.engine = process.env['DYNAMODB_ENGINE'] ?? '';
      const first = await onFolder();
      const { body } = await createUser(first.ready);
      for (const file of ['secret.json', 'projects.json'])
        expect(statSync(join(own.folder, file)).mode & 0o777).toBe(0o600);
      const pids = [enginePid(), backgroundPid(first.child)];
      expect(pids.map(isAlive)).toEqual([true, true]);
      first.child.kill(signal);
      expect((await first.exit).code).toBe(code);
      // A killed process cannot wait for its children.
      if (signal === 'SIGKILL') await Promise.all(pids.map(untilGone));
      expect(pids.map(isAlive)).toEqual([false, false]);
      const second = await onFolder();
      expect(second.ready.projects).toEqual(first.ready.projects);
      expect(await createUser(second.ready)).toMatchObject({
        status: 200,
        body: { uid: body.uid },
      });
    },
  );

  test('a hanging delivery delays it only with a data folder, with a message; a second signal ends it', async () => {
    const hanging = createServer().listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const url = `http://localhost:${(hanging.address() as AddressInfo).port}/`;
    const end = async ({ ready, child, exit, output }: Awaited<ReturnType<typeof serve>>) => {
      const called = once(hanging, 'request');
      await post(ready, '/webhooks', { url });
      await createUser(ready);
      await called;
      child.kill('SIGINT');
      const began = performance.now();
      const stays = child.spawnargs.includes('--data');
      if (stays) {
        while (!output.stderr.includes('Waiting for')) await once(child.stderr, 'data');
        child.kill('SIGINT');
      }
      expect((await exit).code).toBe(stays ? 1 : 0);
      expect(performance.now() - began).toBeLessThan(8_000);
    };
    await end(await serveOwn('--memory'));
    await end(await onFolder());
    hanging.closeAllConnections();
    hanging.close();
  });

  test('the server ends with an error when its background functions are killed', async () => {
    const { child, exit } = await onFolder();
    const pid = enginePid();
    process.kill(backgroundPid(child), 'SIGKILL');
    expect(await exit).toMatchObject({
      code: 1,
      stderr: 'The background functions ended, so this server ends too.\n',
    });
    expect(isAlive(pid)).toBe(false);
  });
});

describe('a stale lock', () => {
  test('the engine of a dead server is ended, and no other process', {
    tags: 'engine',
  }, async () => {
    const left = await startEngine(own.folder);
    const lock = { pid: 2 ** 22, command: 'node', engine: { endpoint: 'x', pid: left.pid } };
    writeFileSync(join(own.folder, 'lock.json'), JSON.stringify(lock));
    await (await openData(own.folder)).close();
    expect(isAlive(left.pid ?? 0)).toBe(false);
    // Both ids now belong to live processes whose command lines differ from the recorded ones.
    const stale = {
      pid: process.ppid,
      command: 'node',
      engine: { endpoint: 'x', pid: process.ppid },
    };
    writeFileSync(join(own.folder, 'lock.json'), JSON.stringify(stale));
    await (await openData(own.folder)).close();
    expect(isAlive(process.ppid)).toBe(true);
  });

  test.each(['', '{"pid": 1', 'null', '{"pid": "x"}'])(
    'with broken content, as after a power failure, is replaced: %j',
    async (content) => {
      writeFileSync(join(own.folder, 'lock.json'), content);
      const { engine, close } = await openData(own.folder);
      expect(enginePid()).toBe(engine.pid);
      expect(isAlive(enginePid())).toBe(true);
      await close();
    },
  );
});

describe('data of a server without WALLET_XPUB', () => {
  const left = newFolder();
  let before: Ready;
  let user: { uid: string };
  beforeAll(async () => {
    const env = { DYNAMODB_ENGINE: '', AWS_ENDPOINT_URL_DYNAMODB: '', WALLET_XPUB: '' };
    const { ready, child, exit } = await serve(['--data', left], env);
    before = ready;
    user = (await createUser(ready)).body;
    child.kill('SIGTERM');
    await exit;
  });
  beforeEach(() => cpSync(left, own.folder, { recursive: true }));

  test('users have no wallet, and get one once WALLET_XPUB is set', async () => {
    expect(user).toMatchObject({ address: '' });
    vi.stubEnv('WALLET_XPUB', undefined);
    const { ready } = await onFolder();
    vi.unstubAllEnvs();
    const { body } = await createUser(ready);
    expect(body).toMatchObject({ address: deriveAddress(developmentXpub, user.uid) });
  });

  test('a lost projects.json gives a new secret, and the old one still works', async () => {
    rmSync(join(own.folder, 'projects.json'));
    const { ready } = await onFolder();
    expect(ready.projects).not.toEqual(before.projects);
    expect((await createUser(ready)).status).toBe(200);
    expect((await createUser({ ...before, url: ready.url })).status).toBe(200);
  });
});
