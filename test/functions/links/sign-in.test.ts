import { describe, expect, test } from 'vitest';
import { keys } from '#shared/db/keys.ts';
import { counted } from '../../races/many.ts';
import { aUser, expectInvalid, expectProblem, expectSame } from '../../support/expectations.ts';
import { type Started, signInProject } from '../../support/sign-in.ts';
import { aListedSession, aSession, pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';

const world = await startWorld();
const ours = await signInProject(world);
type Link = Awaited<ReturnType<typeof ours.link>>;
const signIn = (proof: object, at = ours) => at.post<Started>('/sessions/link', proof);
const codeOf = async ({ link_id, token }: Link) =>
  (await ours.post<{ code: string }>('/links/code', { link_id, token })).body.code;
/** The request of the browser that requested the link, after it was opened elsewhere. */
const byCode = async (link: Link) => {
  const { link_id, verifier } = link;
  return { link_id, verifier, code: await codeOf(link) };
};
const wrongly = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');
const another = 'x'.repeat(43);

describe.each<[string, (link: Link) => object | Promise<object>]>([
  ['the token', (link) => link],
  ['the code', byCode],
])('with the verifier and %s', (what, proofOf) => {
  const at = (name: string) => `${name}.by-${what.slice(4)}@example.com`;

  test('201 creates a new user with a verified e-mail and the given profile', async () => {
    const proof = await proofOf(await ours.link(at('new')));
    const { status, body } = await signIn({ ...proof, display_name: 'Ada' });
    expect(status).toBe(201);
    const given = { display_name: 'Ada', email: at('new'), verified: { email: true } };
    const { project_id } = ours;
    expect(body).toEqual(aSession(aUser({ ...given, uid: body.uid, project_id }), true));
    const { result } = (await world.as(`Bearer ${body.access_token}`).sessions.list()).body;
    expect(result).toEqual([aListedSession({ method: 'email_link', current: true })]);
    const claims = JSON.parse(atob(body.access_token.split('.')[1] ?? ''));
    expect(claims).toMatchObject({ amr: ['otp'], acr: 'aal1' });
  });

  test('201 a user with a verified e-mail keeps the password', async () => {
    const first = await ours.signUp(at('known'));
    const { body } = await signIn(await proofOf(await ours.link(at('known'))));
    expect([body.uid, body.user_created]).toEqual([first.uid, false]);
    await ours.signIn(at('known'));
  });

  test('401 after 15 minutes, and in another project', async () => {
    const elsewhere = await signInProject(world);
    pass(0);
    const [early, late] = [await ours.link(at('early')), await ours.link(at('late'))];
    const proofs = [await proofOf(early), await proofOf(late)] as const;
    expectProblem(await signIn(proofs[0], elsewhere), 'invalid_credentials');
    pass(899_000);
    expect((await signIn(proofs[0])).status).toBe(201);
    pass(1_000);
    expectProblem(await signIn(proofs[1]), 'invalid_credentials');
  });
});

describe('without all parts of the proof', () => {
  test('401 for the link without its verifier or with that of another link', async () => {
    const [link, own] = [await ours.link('victim@example.com'), await ours.link('eve@example.com')];
    for (const verifier of [another, own.verifier]) {
      expectProblem(await signIn({ ...link, verifier }), 'invalid_credentials');
      expectProblem(await signIn({ ...(await byCode(link)), verifier }), 'invalid_credentials');
    }
    // They are counted, and do not use the link up.
    expect(await world.table.get(keys.signInLink(link.link_id))).toMatchObject({ tries: 4 });
    expect((await signIn(link)).status).toBe(201);
  });

  test('401 for the verifier with the token of another link, a wrong code or a code that was never shown', async () => {
    const [link, own] = [await ours.link('mine@example.com'), await ours.link('two@example.com')];
    const { link_id, verifier } = link;
    const wrong = await signIn({ link_id, verifier, token: own.token });
    expectProblem(wrong, 'invalid_credentials');
    const code = await codeOf(link);
    expectSame(await signIn({ link_id, verifier, code: wrongly(code) }), wrong);
    // The state before anyone has opened the mailed link.
    await world.table.update(keys.signInLink(link_id), { code_shown: undefined });
    expectSame(await signIn({ link_id, verifier, code }), wrong);
  });

  test('the link is invalid after five wrong codes, even concurrent ones', async () => {
    const link = await ours.link('guessed@example.com');
    const proof = await byCode(link);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => signIn({ ...proof, code: wrongly(proof.code, i + 1) })),
    );
    expect(counted(answers)).toEqual({ invalid_credentials: 20 });
    expect(await world.table.get(keys.signInLink(link.link_id))).toMatchObject({ tries: 5 });
    for (const right of [proof, link]) expectProblem(await signIn(right), 'invalid_credentials');
  });
});

test('opening the page of the link, as a mail scanner does, changes nothing', async () => {
  const at = await signInProject(world, { hosted_pages: true });
  const link = await at.link('scanned@example.com');
  const before = await world.table.get(keys.signInLink(link.link_id));
  const url = /https?:\S+#/.exec((await at.mailTo('scanned@example.com'))?.text ?? '')?.[0] ?? '';
  const { pathname, search } = new URL(url);
  expect(pathname).toBe(`/pages/${at.project_id}/sign-in-link`);
  expect((await world.call('GET', pathname + search)).status).toBe(200);
  expect(await world.table.get(keys.signInLink(link.link_id))).toEqual(before);
  expect((await signIn(link, at)).status).toBe(201);
});

test('200 asks for the second factor of a project that requires one, and uses up the link', async () => {
  const at = await signInProject(world, { mfa: 'required' });
  const link = await at.link('two-steps@example.com');
  const { status, body } = await signIn(link, at);
  expect([status, body]).toMatchObject([200, { mfa_required: true, methods: ['enrol'] }]);
  expectProblem(await signIn(link, at), 'invalid_credentials');
});

test('400 for neither a token nor a code, and for both', async () => {
  const { link_id, verifier, token } = await ours.link('form@example.com');
  expectInvalid(await signIn({ link_id, verifier }), '/body/token');
  expectInvalid(await signIn({ link_id, verifier, token, code: '000000' }), '/body/token');
});
