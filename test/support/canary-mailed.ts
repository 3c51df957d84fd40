import { newSecret, sha256 } from '../../shared/model/ids.ts';
import type { Answer } from './call.ts';

type Doors = {
  post: (path: string, body: object) => Promise<Answer>;
  /** Expects a session. */
  started: (answer: Promise<Answer>) => Promise<unknown>;
  expectStatus: (answer: Promise<Answer>, status: number) => Promise<void>;
  /** The newest secret mailed to an address, registered as a canary. */
  mailed: (to: string) => Promise<string>;
  /** Registers other secrets as canaries. */
  typed: (name: string, secret: string) => string;
  sent: (name: string, secret: string) => string;
  shown: (name: string, secret: string) => string;
};

/** Signs users in by mailed codes; an unknown e-mail becomes a new user. */
export async function signInByCodes(
  emails: readonly string[],
  { post, started, expectStatus, mailed, typed }: Doors,
): Promise<void> {
  for (const email of emails) {
    const { challenge_id } = (await post('/codes', { email })).body;
    const code = await mailed(email);
    const guess = typed(`a wrong code of ${email}`, code === '271828' ? '314159' : '271828');
    await expectStatus(post('/sessions/code', { challenge_id, code: guess }), 401);
    await started(post('/sessions/code', { challenge_id, code }));
    await expectStatus(post('/sessions/code', { challenge_id, code }), 401);
  }
}

/** Signs a user in by the token or the code of a mailed link. */
export async function signInByLink(
  by: 'token' | 'code',
  email: string,
  { post, started, expectStatus, mailed, sent, shown }: Doors,
): Promise<void> {
  // The challenge is its digest, which is stored.
  const verifier = sent('the verifier of a link', newSecret());
  const slip = sent('a verifier with a slip', newSecret());
  const { link_id } = (await post('/links', { email, challenge: sha256(verifier) })).body;
  const link = { link_id, token: await mailed(email) };
  await expectStatus(post('/sessions/link', { ...link, verifier: slip }), 401);
  await expectStatus(post('/links/code', { ...link, token: slip }), 400);
  const code = shown('the code of a link', (await post('/links/code', link)).body.code);
  const proof = by === 'code' ? { link_id, code } : link;
  await started(post('/sessions/link', { ...proof, verifier }));
}
