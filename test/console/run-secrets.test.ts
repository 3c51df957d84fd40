import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRunSecrets } from '../../bin/transfer/run-secrets.ts';
import { operateFor } from '../../console/server/operator.ts';
import type { OperatorRequest } from '../../shared/operator/request.ts';

/** The secrets of a run with concurrent requests: which are dropped, and which are left at its end. */

/** An operator function whose secrets exist until revoked; a gate delays their creation. */
function startOperator() {
  const live = new Set<string>();
  let number = 0;
  const given = {
    live,
    gate: undefined as Promise<void> | undefined,
    refusal: undefined as string | undefined,
    async operate(request: OperatorRequest): Promise<unknown> {
      if (request.action === 'revoke-secret') {
        if (given.refusal !== undefined) throw new Error(given.refusal);
        live.delete(request.secret_id);
        return {};
      }
      await given.gate;
      number += 1;
      const secret_id = String(number).padStart(8, '0');
      live.add(secret_id);
      return { project_id: 'acme', name: 'Acme', secret: `s${number}`, secrets: [{ secret_id }] };
    },
  };
  return given;
}

test('a late report of a refused secret drops neither a newer secret nor one that is being created', async () => {
  const { operate } = startOperator();
  const secrets = createRunSecrets(operate, { name: 'console', pause: 0 });
  const first = await secrets.authorization('acme');
  secrets.forget('acme', first);
  const pending = secrets.authorization('acme');
  secrets.forget('acme', first);
  const second = await pending;
  expect(second).not.toBe(first);
  secrets.forget('acme', first);
  expect(await secrets.authorization('acme')).toBe(second);
  secrets.forget('acme', second);
  expect(await secrets.authorization('acme')).not.toBe(second);
  expect(await secrets.close()).toEqual([]);
});

test('close waits for all secrets that are being created, revokes them, and then refuses new ones', async () => {
  const operator = startOperator();
  const secrets = createRunSecrets(operator.operate, { name: 'console', pause: 0 });
  const { promise, resolve } = Promise.withResolvers<void>();
  operator.gate = promise;
  const waiting = Promise.allSettled([
    secrets.authorization('acme'),
    secrets.authorization('other'),
    operateFor({ operate: operator.operate, secrets }, '{"action":"create","name":"Fresh"}'),
  ]);
  await sleep(20);
  const closing = secrets.close();
  await expect(secrets.authorization('late')).rejects.toThrow('This run has ended.');
  await expect(
    operateFor({ operate: operator.operate, secrets }, '{"action":"create","name":"Late"}'),
  ).rejects.toThrow('This run has ended.');
  resolve();
  expect(await closing).toEqual([]);
  await waiting;
  expect([...operator.live]).toEqual([]);
});

test("warns about a project's first secret that could not be revoked, and revokes it on close", async () => {
  const operator = startOperator();
  const secrets = createRunSecrets(operator.operate, { name: 'console', pause: 0 });
  operator.refusal = 'Too many requests.';
  const create = '{"action":"create","name":"Fresh"}';
  const answer = await operateFor({ operate: operator.operate, secrets }, create);
  expect(answer).toMatchObject({
    project_id: 'acme',
    warning: expect.stringContaining('was not revoked (Too many requests.)'),
  });
  expect(JSON.stringify(answer)).not.toContain('"secret"');
  expect(operator.live.size).toBe(1);
  operator.refusal = undefined;
  expect(await secrets.close()).toEqual([]);
  expect(operator.live.size).toBe(0);
});

test('close reports a first secret that it could not revoke', async () => {
  const operator = startOperator();
  const secrets = createRunSecrets(operator.operate, { name: 'console', pause: 0 });
  operator.refusal = 'Too many requests.';
  await operateFor({ operate: operator.operate, secrets }, '{"action":"create","name":"Fresh"}');
  const [sentence, ...others] = await secrets.close();
  expect(others).toEqual([]);
  expect(sentence).toContain('project:revoke-secret');
});
