/**
 * @module-tag proof
 * @module-tag alone
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { startEngine } from '../../local/engine/engine.ts';
import { isAlive } from '../../local/process.ts';
import { developmentXpub } from '../../shared/identity/wallet/development-wallet.ts';
import { deriveAddress } from '../../shared/identity/wallet/wallet.ts';
import { backgroundPid, createUser, post } from '../support/server.ts';
import { servers } from './servers.ts';

const { own, onFolder, enginePid } = servers();

async function untilGone(pid: number) {
  for (let waited = 0; isAlive(pid) && waited < 5000; waited += 20) await sleep(20);
  return !isAlive(pid);
}

describe('stopping', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends it with no process left',
    async (signal) => {
      const { child, exit } = await onFolder();
      const pids = [enginePid(), backgroundPid(child)];
      expect(pids.map(isAlive)).toEqual([true, true]);
      child.kill(signal);
      expect((await exit).code).toBe(0);
      expect(pids.map(isAlive)).toEqual([false, false]);
    },
  );

  test('a kill -9 leaves none either', { tags: 'engine' }, async () => {
    const { child, exit } = await onFolder();
    const pids = [enginePid(), backgroundPid(child)];
    child.kill('SIGKILL');
    await exit;
    expect(await Promise.all(pids.map(untilGone))).toEqual([true, true]);
  });

  test('it ends, and says why, where its background functions are killed', async () => {
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

describe('data', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'survives %s and keeps the secret',
    { tags: 'engine' },
    async (signal) => {
      own.engine = process.env['DYNAMODB_ENGINE'] ?? '';
      const first = await onFolder();
      const { body } = await createUser(first.ready);
      first.child.kill(signal);
      await first.exit;
      const second = await onFolder();
      expect(second.ready.projects).toEqual(first.ready.projects);
      expect(await createUser(second.ready)).toMatchObject({
        status: 200,
        body: { uid: body.uid },
      });
    },
  );

  test('an engine that a dead server left behind is ended, and nobody else', {
    tags: 'engine',
  }, async () => {
    const left = await startEngine(own.folder);
    const lock = { pid: 2 ** 22, command: 'node', engine: { endpoint: 'x', pid: left.pid } };
    writeFileSync(join(own.folder, 'lock.json'), JSON.stringify(lock));
    const { child, exit } = await onFolder();
    expect(isAlive(left.pid ?? 0)).toBe(false);
    child.kill('SIGTERM');
    await exit;
    // Both ids are ours by now, which no recorded command line fits.
    const stale = {
      pid: process.pid,
      command: 'node',
      engine: { endpoint: 'x', pid: process.pid },
    };
    writeFileSync(join(own.folder, 'lock.json'), JSON.stringify(stale));
    await onFolder();
  });

  test.each(['', '{"pid": 1', 'null', '{"pid": "x"}'])(
    'a broken lock, as a loss of power leaves it, is no lock: %j',
    async (content) => {
      writeFileSync(join(own.folder, 'lock.json'), content);
      const { ready } = await onFolder();
      expect((await createUser(ready)).status).toBe(201);
      expect(isAlive(enginePid())).toBe(true);
    },
  );

  test('where WALLET_XPUB is empty users have no wallet, and get one once it is not', async () => {
    vi.stubEnv('WALLET_XPUB', '');
    const first = await onFolder();
    expect((await createUser(first.ready)).body).toMatchObject({ address: '' });
    first.child.kill('SIGTERM');
    await first.exit;
    vi.stubEnv('WALLET_XPUB', undefined);
    const { ready } = await onFolder();
    const { body } = await createUser(ready);
    expect(body).toMatchObject({ address: deriveAddress(developmentXpub, body.uid) });
    vi.unstubAllEnvs();
  });

  test('is readable by its owner alone', async () => {
    await onFolder();
    for (const file of ['secret.json', 'projects.json']) {
      expect(statSync(join(own.folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  test('a folder of before there were secrets for mails and webhooks goes on working', async () => {
    const first = await onFolder();
    const { body } = await createUser(first.ready);
    first.child.kill('SIGTERM');
    await first.exit;
    const file = join(own.folder, 'secret.json');
    const [signing] = JSON.parse(readFileSync(file, 'utf8')) as object[];
    writeFileSync(file, JSON.stringify(signing));
    const second = await onFolder();
    const session = await post(second.ready, '/sessions', { uid: body.uid });
    expect(session.status).toBe(201);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject([
      signing,
      { name: 'mail-key', rotated: false },
      { name: 'webhook-key', rotated: false },
      { name: 'factor-key', rotated: false },
      { name: 'captcha-keys', rotated: false },
      { name: 'provider-token-keys', rotated: false },
    ]);
  });

  test('a lost file of secrets gives a further secret; the lost one still works', async () => {
    const first = await onFolder();
    await createUser(first.ready);
    first.child.kill('SIGTERM');
    await first.exit;
    rmSync(join(own.folder, 'projects.json'));
    const second = await onFolder();
    expect(second.ready.projects).not.toEqual(first.ready.projects);
    expect((await createUser(second.ready)).status).toBe(200);
    expect((await createUser({ ...first.ready, url: second.ready.url })).status).toBe(200);
  });
});
