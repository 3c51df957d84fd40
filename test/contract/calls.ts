import { expect } from 'vitest';
import {
  bodyTypesOf,
  cachesOf,
  failuresOf,
  isForOwnPages,
  type Route,
} from '#shared/contract/route.ts';
import type { ErrorCode } from '#shared/model/error-codes.ts';
import type { Answer, Call } from '../support/call.ts';
import { expectProblem, membersOf } from '../support/expectations.ts';
import { fromOwnPage } from '../support/hosted-pages.ts';
import { pathOf } from '../support/routes.ts';
import type { Person, World } from '../support/world.ts';
import { type Sample, sampleOf } from './samples.ts';

/** A call of a route: the sample of its contract, with overrides. */
export type Change = Partial<Sample> &
  Pick<Call, 'auth' | 'headers'> & { raw?: string | Uint8Array };

/** Returns a function that calls routes by their contract and checks the common rules of all responses. */
export function routeCaller(world: World) {
  return async (route: Route, change: Change = {}): Promise<Answer> => {
    const { params, query, body, auth: given, headers, raw } = { ...sampleOf(route), ...change };
    const token = /^Cookie (.*)/.exec(given ?? '')?.[1];
    const auth = token === undefined ? given : undefined;
    const form = route.accepts === 'form' && new URLSearchParams(body as Record<string, string>);
    const answer = await world.call({
      method: route.method,
      path: pathOf(route, params),
      auth,
      body: raw ?? (form ? form.toString() : body),
      query,
      headers: { ...headersOf(route, params, token), ...headers },
    });
    expectStandard(route, answer);
    return answer;
  };
}

/** The headers of a request in addition to its sample: origin, cookie and content type. */
function headersOf(route: Route, { project_id }: Sample['params'], token: string | undefined) {
  return {
    ...(isForOwnPages(route) && fromOwnPage),
    ...(route.accepts === 'form' && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(token !== undefined && { cookie: `session-${project_id}=${token}` }),
  };
}

/** Checks the headers of every response, and for an error the complete problem with a declared code. */
export function expectStandard(route: Route, answer: Answer): void {
  const { status, headers, body } = answer;
  expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
  // A browser must load, run and frame nothing of a response.
  if (route.produces === undefined)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/^[\w+/=-]{10,}$/);
  if (status < 400) {
    expect(route.statuses).toContain(status);
    expect(cachesOf(route)).toContain(headers.get('cache-control'));
    return;
  }
  const { code, errors } = body as { code: ErrorCode; errors?: { pointer: string }[] };
  expect(failuresOf(route)).toContain(code);
  // What would be accepted (RFC 9110 section 15.5.16; RFC 5789 section 2.2).
  const types = status === 415 ? bodyTypesOf(route).join(', ') : null;
  expect(headers.get('accept')).toBe(types);
  expect(headers.get('accept-patch')).toBe(route.method === 'PATCH' ? types : null);
  expect(headers.get('accept-encoding')).toBe(types && 'identity');
  const further = Object.keys(membersOf(code).shape).filter((name) => name in body);
  const named = errors?.map(() => ({
    pointer: expect.stringMatching(/^\/(?:headers|path|query|body)/),
    // Our own messages, because zod's start differently.
    detail: expect.stringMatching(/^(?:Must|Is|Invalid|Unknown|Duplicate|Not|Only|Read-only:) /),
  }));
  expectProblem(answer, code, {
    ...(named && { errors: named }),
    ...(route.problems === 'oauth' && {
      error: expect.stringMatching(/^[a-z_]+$/),
      error_description: expect.stringMatching(/^[ !#-[\]-~]+$/),
    }),
    ...Object.fromEntries(further.map((name) => [name, expect.anything()])),
  });
}

/** The distinct pointers of a 400, in order. */
export const pointersOf = ({ body }: Answer): string[] =>
  [
    ...new Set<string>((body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)),
  ].sort();

/** A valid credential for a route: a project's backend, a user, or a refresh token, in its cookie. */
export function credentialFor(route: Route, world: World, person: Person): string | undefined {
  const [scheme] = route.auth;
  if (scheme === 'project') return world.project.basic;
  if (scheme === 'access') return person.bearer;
  return scheme && `${scheme === 'cookie' ? 'Cookie' : 'Bearer'} ${person.refresh_token}`;
}
