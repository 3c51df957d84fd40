import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAccess } from '../../console/server/access.ts';
import { operateFor } from '../../console/server/operator.ts';
import type { OperatorRequest } from '../../shared/operator/request.ts';

/** The secrets of a run when requests cross: what is dropped, and what is left when it ends. */

/** An operator function whose secrets are there until they are revoked; a gate holds its creations back. */
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

test('a header that is refused late drops neither a newer secret nor one that is being made', async () => {
  const { operate } = startOperator();
  const access = createAccess(operate, 0);
  const first = await access.authorization('acme');
  access.forget('acme', first);
  const pending = access.authorization('acme');
  access.forget('acme', first);
  const second = await pending;
  expect(second).not.toBe(first);
  access.forget('acme', first);
  expect(await access.authorization('acme')).toBe(second);
  access.forget('acme', second);
  expect(await access.authorization('acme')).not.toBe(second);
  expect(await access.close()).toEqual([]);
});

test('the end waits for what is being made, also for what nobody holds any longer; then nothing starts', async () => {
  const operator = startOperator();
  const access = createAccess(operator.operate, 0);
  const { promise, resolve } = Promise.withResolvers<void>();
  operator.gate = promise;
  const waiting = Promise.allSettled([
    access.authorization('acme'),
    access.authorization('other'),
    operateFor({ operate: operator.operate, access }, '{"action":"create","name":"Fresh"}'),
  ]);
  await sleep(20);
  const closing = access.close();
  await expect(access.authorization('late')).rejects.toThrow('The console has ended.');
  await expect(
    operateFor({ operate: operator.operate, access }, '{"action":"create","name":"Late"}'),
  ).rejects.toThrow('The console has ended.');
  resolve();
  expect(await closing).toEqual([]);
  await waiting;
  expect([...operator.live]).toEqual([]);
});

test('a first secret that could not be revoked is told of, and tried again at the end', async () => {
  const operator = startOperator();
  const access = createAccess(operator.operate, 0);
  operator.refusal = 'Too many requests.';
  const create = '{"action":"create","name":"Fresh"}';
  const answer = await operateFor({ operate: operator.operate, access }, create);
  expect(answer).toMatchObject({
    project_id: 'acme',
    warning: expect.stringContaining('was not revoked (Too many requests.)'),
  });
  expect(JSON.stringify(answer)).not.toContain('"secret"');
  expect(operator.live.size).toBe(1);
  operator.refusal = undefined;
  expect(await access.close()).toEqual([]);
  expect(operator.live.size).toBe(0);
});

test('one that does not expire is named as such if the end fails too', async () => {
  const operator = startOperator();
  const access = createAccess(operator.operate, 0);
  operator.refusal = 'Too many requests.';
  await operateFor({ operate: operator.operate, access }, '{"action":"create","name":"Fresh"}');
  const [sentence, ...others] = await access.close();
  expect(others).toEqual([]);
  expect(sentence).toContain('project:revoke-secret');
});
