import { expect, test } from 'vitest';
import { roleTools } from '../../support/roles.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { permissions, permission } = roleTools(world);

test('200 lists permissions of the project, then those of the service that roles can have, each sorted', async () => {
  await permission('report:read', 'invoice:pay');
  await permissions.set({ permission: 'invoice:read', description: 'See invoices' });
  const { status, body } = await permissions.list();
  expect(status).toBe(200);
  expect(body.result.slice(0, 3)).toEqual([
    { permission: 'invoice:pay', built_in: false },
    { permission: 'invoice:read', description: 'See invoices', built_in: false },
    { permission: 'report:read', built_in: false },
  ]);
  const names = body.result.slice(3).map((each: { permission: string }) => each.permission);
  expect(names).toEqual(names.toSorted());
  expect(names).toEqual(expect.arrayContaining(['event:list', 'member:add', 'workspace:update']));
  for (const each of ['workspace:delete', 'ownership:end', 'invitation:decline'])
    expect(names).not.toContain(each);
  expect([body.total, body.count]).toEqual([body.result.length, body.result.length]);
});

test('200 lists only permissions of the service for a project that defines none', async () => {
  const { basic } = await world.newProject();
  const { body } = await world.as(basic).permissions.list();
  expect(body.result.every((each: { built_in: boolean }) => each.built_in)).toBe(true);
});
