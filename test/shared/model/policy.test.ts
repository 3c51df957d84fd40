import { describe, expect, test } from 'vitest';
import { ApiError } from '#shared/model/errors.ts';
import {
  type Action,
  allow,
  dependsOnRole,
  isAction,
  isGrantable,
  policy,
  type Standing,
} from '#shared/model/policy.ts';

// The intended permission table, independent of the code; y: allowed.
const decided = `
  action                project owner admin member invited none
  workspace:read        y       y     y     y      404     404
  member:list-accepted  y       y     y     y      404     404
  member:list-pending   y       y     y     403    404     404
  invitation:create     y       y     y     403    404     404
  workspace:update      y       y     y     403    404     404
  workspace:read-metadata y     y       y     403    404     404
  workspace:set-domains y       y     y     403    404     404
  member:add            y       y     y     403    404     404
  member:change-role    y       y     y     403    404     404
  workspace:delete      y       y     403   403    404     404
  workspace:restore     y       y     404   404    404     404
  ownership:offer       y       y     403   403    404     404
  ownership:accept      404     404   y     403    404     404
  ownership:end         y       y     y     403    404     404
  role:list             y       y     y     y      404     404
  role:manage           y       y     y     403    404     404
  api-key:manage        y       y     y     403    404     404
  domain:list           y       y     y     403    404     404
  domain:prove          y       y     y     403    404     404
  event:list            y       y     y     403    404     404
  member:read           y       y     y     y      404     404
  member:suspend        y       y     y     403    404     404
  member:remove         y       y     y     403    404     404
  member:leave          404     y     y     y      404     404
  invitation:list       y       y     y     403    404     404
  invitation:resend     y       y     y     403    404     404
  invitation:revoke     y       y     y     403    404     404
  invitation:decline    y       404   404   404    y       404
  join-link:create      y       y     y     403    404     404
  join-link:list        y       y     y     403    404     404
  join-link:revoke      y       y     y     403    404     404
  join-request:list     y       y     y     403    404     404
  join-request:approve  y       y     y     403    404     404
  join-request:refuse   y       y     y     403    404     404
`;
const [[, ...standings] = [], ...rows] = decided
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const cells = rows.flatMap(([action, ...row]) =>
  row.map((cell, i) => [action as Action, standings[i] as Standing, cell] as const),
);

const words = { y: 'allow', 403: 'forbid', 404: 'hide' } as Record<string, string>;

/** The cell that a decision of the policy matches. */
function outcome(action: Action, standing: Standing, held?: Set<string>): string {
  try {
    allow(action, standing, held);
    return 'y';
  } catch (error) {
    const { code } = error as ApiError;
    return { forbidden: '403', not_found: '404' }[code as string] ?? String(error);
  }
}

describe('every cell of the policy:', () => {
  test.each(cells)('%s by %s: %s', (action, standing, cell) => {
    expect(outcome(action, standing)).toBe(cell);
    expect(policy[action][standing]).toBe(words[cell]);
  });
});

test('every action has a decision for every standing', () => {
  expect(new Set(cells.map(([action]) => action))).toEqual(new Set(Object.keys(policy)));
  expect(cells).toHaveLength(Object.keys(policy).length * standings.length);
});

test('a hidden action fails exactly like a missing workspace', () => {
  const hidden = new ApiError('not_found', { reason: 'the policy hides it from this standing' });
  for (const standing of ['none', 'invited'] as const)
    expect(() => allow('workspace:read', standing)).toThrow(expect.objectContaining({ ...hidden }));
});

test('a forbidden action fails as forbidden by the policy', () => {
  const forbidden = { code: 'forbidden', reason: 'the policy forbids it to this standing' };
  expect(() => allow('workspace:update', 'member')).toThrow(expect.objectContaining(forbidden));
});

test('isAction accepts the actions of the policy, and no property of every object', () => {
  expect(['workspace:read', 'role:manage'].map(isAction)).toEqual([true, true]);
  expect(['invoice:read', 'toString', ''].map(isAction)).toEqual([false, false, false]);
});

const cellOf = (action: Action, standing: Standing) =>
  cells.find((each) => each[0] === action && each[1] === standing)?.[2];

test.each(Object.keys(policy) as Action[])(
  "%s: can be granted to a role exactly if it is an admin's and not about ownership",
  (action) => {
    const ofAdmins = cellOf(action, 'admin') === 'y' && !action.startsWith('ownership:');
    expect(isGrantable(action)).toBe(ofAdmins);
    const opens = ofAdmins && cellOf(action, 'member') === '403';
    expect(dependsOnRole(action)).toBe(opens);
    for (const standing of ['admin', 'member', 'invited', 'none'] as const) {
      const usual = cellOf(action, standing);
      const granted = opens && standing === 'member' ? 'y' : usual;
      expect(outcome(action, standing, new Set([action]))).toBe(granted);
      expect(outcome(action, standing, new Set(['another:action']))).toBe(usual);
    }
  },
);
