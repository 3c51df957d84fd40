import { expect, test } from 'vitest';
import { roleIdOf } from '../../pages/views/own-roles/role-id.ts';
import { ownRole } from '../../shared/model/fields.ts';
import { limits } from '../../shared/model/limits.ts';

const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';

test.each([
  ['Treasurer', 'ws-treasurer'],
  ['Chef der Größen', 'ws-chef-der-grossen'],
  ['  Élève – 2. année ', 'ws-eleve-2-annee'],
  ['גזבר', 'ws-role'],
  ['—', 'ws-role'],
  ['__proto__', 'ws-proto'],
  [word, 'ws-donaudampfschifffahrtselek'],
  ['a'.repeat(25) + ' b', `ws-${'a'.repeat(25)}`],
])('the id of a role that is called %j is %s', (name, id) => {
  expect(roleIdOf(name, new Set())).toBe(id);
});

test.each([word, 'Clerk', 'מפתח'])(
  'the maximum number of roles called %s in a workspace get different ids, all valid',
  (name) => {
    const taken = new Set<string>();
    for (let number = 0; number < limits.ownRoles.perWorkspace; number += 1) {
      const id = roleIdOf(name, taken);
      expect(ownRole.safeParse(id).success, id).toBe(true);
      taken.add(id);
    }
    expect(taken.size).toBe(limits.ownRoles.perWorkspace);
  },
);
