/** @module-tag engine */
import { beforeAll, describe, expect, test } from 'vitest';
import type { MemberItem } from '#shared/workspaces/items.ts';
import { isMemberFoundBy, termsOfMember } from '#shared/workspaces/members/member-search.ts';
import { anId, unknownId, unknownWorkspaceId } from '../../support/expectations.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const { runInRequest } = await import('#shared/db/request-context.ts');
const { findMembers, refreshTerms } = await import('#shared/workspaces/members/member-search.ts');

const email = 'Ada.King@Example.com';
const member = (profile: object, user_id = unknownId) =>
  ({
    workspace_id: unknownWorkspaceId,
    user_id,
    profile: JSON.stringify({ email, ...profile }),
  }) as MemberItem;

describe('the terms of a member', () => {
  test.each<[string, object, string[]]>([
    ['the e-mail', {}, ['ada.king@example.com']],
    [
      'each name, and each of its words',
      { display_name: 'Ada  King', preferred_username: 'ada', name: { family_name: 'von King' } },
      ['ada.king@example.com', 'ada king', 'ada', 'von king', 'king', 'von'],
    ],
    [
      'normalised, in lower case',
      { display_name: 'ＡＤＡ É' },
      ['ada.king@example.com', 'ada é', 'ada', 'é'],
    ],
    ['no empty name', { display_name: '', name: {} }, ['ada.king@example.com']],
  ])('%s', (_, profile, terms) => {
    expect(termsOfMember(member(profile)).sort()).toEqual(terms.sort());
  });

  test('at most ten, of at most 128 characters', () => {
    const many = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
    expect(termsOfMember(member({ display_name: many }))).toHaveLength(10);
    const [, long = ''] = termsOfMember(member({ display_name: '𝒳'.repeat(300) }));
    expect(Array.from(long)).toHaveLength(128);
    // A text of the same length still finds it.
    expect(isMemberFoundBy(member({ display_name: 'x'.repeat(300) }), 'X'.repeat(128))).toBe(true);
  });
});

describe('in the table', () => {
  const ada = member({ display_name: 'Ada King' });
  const find = (text: string) =>
    runInRequest('test', 5_000, async () => (await findMembers(unknownWorkspaceId, text)).ids);
  const refresh = (before?: MemberItem, after?: MemberItem) =>
    runInRequest('test', 5_000, () => refreshTerms(before, after));
  const terms = async () =>
    (await world.table.query(`FIND#${unknownWorkspaceId}`))
      .map(({ sk }) => String(sk).split('#')[0] ?? '')
      .toSorted((a, b) => (a < b ? -1 : 1));
  beforeAll(() => refresh(undefined, ada));

  test('a new member is found by each term, and by nothing else', async () => {
    for (const text of ['ada', 'King', 'ada k', 'ADA.KING@'])
      expect(await find(text)).toEqual([unknownId]);
    for (const text of ['da', 'kingdom', 'ada#', `ada#${unknownId.slice(0, 4)}`])
      expect(await find(text)).toEqual([]);
  });

  test('a repeated record changes nothing, and a new name replaces the old one', async () => {
    const before = await terms();
    await refresh(undefined, ada);
    expect(await terms()).toEqual(before);
    const bea = member({ display_name: 'Bea King' });
    for (let i = 0; i < 2; i += 1) await refresh(ada, bea);
    expect(await terms()).toEqual(['ada.king@example.com', 'bea', 'bea king', 'king']);
    await refresh(bea, ada);
    expect(await terms()).toEqual(before);
  });

  test('several members are found once each, in order', async () => {
    const other = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a0e';
    expect(other).toEqual(anId());
    const twin = member({ display_name: 'King Adam' }, other);
    await refresh(undefined, twin);
    expect(await find('ada')).toEqual([other, unknownId]);
    expect(await find('king')).toEqual([other, unknownId]);
    await refresh(twin, undefined);
    expect(await find('king')).toEqual([unknownId]);
  });

  test('a member who is gone leaves no terms', async () => {
    await refresh(ada, undefined);
    expect(await terms()).toEqual([]);
    await refresh(undefined, undefined);
  });

  test('a name that is cut within a character leaves no terms after its removal', async () => {
    const long = member({ display_name: `İ${'a'.repeat(125)}😀` });
    await refresh(undefined, long);
    expect(await find(`İ${'a'.repeat(125)}😀`)).toEqual([unknownId]);
    await refresh(long, undefined);
    expect(await terms()).toEqual([]);
  });
});
