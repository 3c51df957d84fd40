import { expect } from 'vitest';
import * as z from 'zod';
import { developmentXpub } from '#shared/identity/wallet/development-wallet.ts';
import { deriveAddress } from '#shared/identity/wallet/wallet.ts';
import { type ErrorCode, errorCodes } from '#shared/model/error-codes.ts';
import { type FieldError } from '#shared/model/errors.ts';
import { problemMembers } from '#shared/model/problem-members.ts';
import type { User } from '#shared/model/user-resources.ts';
import type { Invitation, Member, Workspace } from '#shared/model/workspace-resources.ts';

/** The wallet address of users created as test data: deriving one takes as long as the rest of the creation. */
export const addressOfScenery = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Expected response bodies, complete: an extra or missing field fails. */

const uuidV7 = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
/** UUIDv7 after a prefix such as `wid-`. */
export const anId = (prefix = '') => expect.stringMatching(new RegExp(`^${prefix}${uuidV7}$`));
/** ISO 8601, UTC, milliseconds. */
export const aTime = () => expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** The lower-case form of a UUID that no project has. */
export const unknownId = '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a0f';
export const unknownWorkspaceId = `wid-${unknownId}`;

/** The parts of a response that the expectations read. */
type Answered = { status: number; headers: Headers; body: unknown };

/** A user with every field at its empty value, except the given ones. */
export function aUser(given: Partial<User> & { uid: string; project_id: string }): User {
  const isTheirs = (address: unknown) =>
    address === addressOfScenery || address === deriveAddress(developmentXpub, given.uid);
  const address = expect.toSatisfy(isTheirs);
  return {
    email: '',
    profile_url: '',
    preferred_username: '',
    thumbnail_url: '',
    name: { given_name: '', family_name: '', formatted: '' },
    display_name: '',
    about_me: '',
    current_location: '',
    sign_in_methods: {},
    verified: { email: false },
    address,
    wallet: { address, type: 'service' },
    created_at: aTime(),
    modified_at: aTime(),
    photos: [],
    urls: [],
    ...given,
  };
}

/** A new workspace of `owner`, with the given fields. */
export function aWorkspace(owner: User, given: Partial<Workspace> = {}): Workspace {
  const { project_id, uid, email } = owner;
  return {
    workspace_id: anId('wid-'),
    project_id,
    name: 'Acme',
    invitation_url: expect.stringMatching(
      new RegExp(`^https://[^?]+\\?project_id=${project_id}&workspace_id=wid-${uuidV7}$`),
    ),
    owner_id: uid,
    owner_email: email,
    created_at: aTime(),
    modified_at: aTime(),
    allowed_domains: [],
    total_member_count: 1,
    ...given,
  };
}

/** An accepted membership of `user` with the role `member`, invited by `inviter`. */
export function aMember(
  workspace_id: string,
  user: User,
  inviter: User,
  given: Partial<Member> = {},
): Member {
  return {
    member_id: anId('mid-'),
    workspace_id,
    email: user.email,
    inviter_id: inviter.uid,
    inviter_email: inviter.email,
    status: 'accepted',
    role: 'member',
    created_at: aTime(),
    modified_at: aTime(),
    user_id: user.uid,
    ...given,
  };
}

/** A pending invitation of `user`, as managers list it; with `link` only in the response that creates it. */
export function anInvitation(
  workspace_id: string,
  user: User,
  inviter: User,
  given: Partial<Invitation> = {},
): Invitation {
  return {
    ...aMember(workspace_id, user, inviter),
    status: 'pending',
    state: 'pending',
    expires_at: aTime(),
    ...given,
  };
}

/** The link of an invitation to a workspace, which ends with the invitation's id and a secret. */
export const aLink = (workspace_id: string) =>
  expect.stringMatching(
    new RegExp(
      `^https://[^?]+\\?project_id=[\\w-]+&workspace_id=${workspace_id}#token=[\\w-]{43}\\.[\\w-]{43}$`,
    ),
  );

/** The `errors` member of a problem that names exactly one field. */
export const onlyAt = (pointer: string) => ({ errors: [{ pointer, detail: expect.any(String) }] });

/** Expects exactly the problem with this code and these further members; with `error`, that of an OAuth endpoint. */
export function expectProblem(answer: Answered, code: ErrorCode, more: object = {}): void {
  const { status, title } = errorCodes[code];
  expect(answer.body).toEqual({
    type: expect.stringMatching(new RegExp(`^https?://.+/docs/errors#${code}$`)),
    title,
    status,
    detail: expect.any(String),
    code,
    request_id: answer.headers.get('x-request-id'),
    ...more,
  });
  expect(membersOf(code).strict().safeParse(furtherOf(answer.body)).error).toBeUndefined();
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe(
    'error' in more ? 'application/json' : 'application/problem+json',
  );
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.has('www-authenticate')).toBe(
    status === 401 || code === 'insufficient_scope',
  );
}

/** The members that the contract allows for this code, in addition to those of every problem. */
export const membersOf = (code: ErrorCode): z.ZodObject =>
  (problemMembers as Partial<Record<ErrorCode, { schema: z.ZodObject }>>)[code]?.schema ??
  z.object({});

const common = ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'];
const ofOauth = ['error', 'error_description'];

const furtherOf = (body: unknown) =>
  Object.fromEntries(
    Object.entries(body as object).filter(([name]) => ![...common, ...ofOauth].includes(name)),
  );

/** Expects a 400 that names exactly these fields, in any order. */
export function expectInvalid(answer: Answered, ...pointers: string[]): void {
  const { errors: wrong = [] } = answer.body as { errors?: FieldError[] };
  expect(wrong.map(({ pointer }) => pointer).sort()).toEqual(pointers.sort());
  const form = { pointer: expect.any(String), detail: expect.any(String) };
  expectProblem(answer, 'invalid_request', { errors: pointers.map(() => form) });
}

/** Expects indistinguishable responses: status, headers and body, except request id and time. */
export function expectSame(one: Answered, other: Answered): void {
  expect(withoutRequest(one)).toEqual(withoutRequest(other));
}

function withoutRequest({ status, headers, body }: Answered) {
  const { request_id: _, ...rest } = body as Record<string, unknown>;
  const own = new Set(['x-request-id', 'apigw-requestid', 'date', 'content-length']);
  return { status, headers: [...headers].filter(([name]) => !own.has(name)), rest };
}
