import { afterEach, describe, expect, test, vi } from 'vitest';
import { createBackend, IntrospectionError } from '../../../client/server.ts';
import { serve } from '../../support/serve.ts';
import { pass } from '../../support/started.ts';
import { startWorld } from '../../support/world.ts';
import { placeIn, take, usersIn } from './follow-place.ts';

/** A backend when the service or its own secret store accepts a request and never answers. */

const world = await startWorld();
const { project_id: projectId, secret } = world.project;
const person = await world.user();
const request = { headers: { authorization: person.bearer } };
const stuckUrl = await serve(() => {});

/** Paths of requests that are accepted and never answered. */
let hanging = /$^/;
const fetchThere: typeof fetch = (input, init) =>
  fetch(hanging.test(String(input)) ? stuckUrl : String(input), init);
const there = { url: world.url, projectId, fetch: fetchThere };

const { timeout } = AbortSignal;
const failure = (call: Promise<unknown>) => call.catch((error: unknown) => error);

afterEach(() => {
  hanging = /$^/;
  vi.restoreAllMocks();
});

describe('a service that hangs', () => {
  test('is a 503 after five seconds for requests that wait for it', async () => {
    const backend = createBackend({ ...there, secret });
    await backend.verify(person.access_token);
    hanging = /introspect|check/;
    const begun = performance.now();
    const exact = backend.authenticateRequest(request, { exact: true });
    const calls = [
      exact,
      backend.introspect(person.access_token),
      backend.can(person.uid, 'a', 'b:c'),
    ];
    for (const each of await Promise.allSettled(calls))
      expect(each).toMatchObject({ reason: { status: 503, code: 'temporarily_unavailable' } });
    expect(await failure(exact)).toBeInstanceOf(IntrospectionError);
    expect(performance.now() - begun).toBeGreaterThan(4_900);
  });

  test('is asked again for the same page of events', async () => {
    const { project, cursor, add } = await placeIn(world);
    const uids = await add(1);
    const backend = createBackend({ ...there, ...project, projectId: project.project_id });
    // The 30-second deadline passes after a third of a second.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) =>
      timeout.call(AbortSignal, milliseconds === 30_000 ? 300 : milliseconds),
    );
    hanging = /events/;
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => {
      failures.push(error);
      hanging = /$^/;
      vi.restoreAllMocks();
    };
    const batches = backend.events.follow({ cursor, interval: 10, onFailure });
    expect(usersIn(await take(batches))).toEqual(uids);
    await batches.return();
    expect(failures).toMatchObject([{ name: 'TimeoutError' }]);
  });
});

describe('a secret whose reading hangs', () => {
  /** A store whose first read hangs, as when its instance was frozen. */
  function store() {
    const read = vi.fn<() => Promise<string>>(async () => secret);
    read.mockImplementationOnce(() => new Promise(() => {}));
    return { read, backend: createBackend({ ...there, secret: read }) };
  }
  const soon = () => ({ signal: timeout.call(AbortSignal, 20) });

  test('delays a call until its signal aborts, and at most ten seconds', async () => {
    const { backend } = store();
    const { signal } = soon();
    expect(await failure(backend.api.users.list({}, { signal }))).toBe(signal.reason);
    expect(await failure(backend.api.users.list())).toMatchObject({ name: 'TimeoutError' });
  });

  test('is read again, once, by calls after ten seconds', async () => {
    const { backend, read } = store();
    await failure(backend.api.users.list({}, soon()));
    pass(9_000);
    await failure(backend.api.users.list({}, soon()));
    expect(read).toHaveBeenCalledTimes(1);
    pass(1_000);
    expect((await backend.api.users.list({ limit: 1 })).status).toBe(200);
    pass(60_000);
    expect((await backend.api.users.list({ limit: 1 })).status).toBe(200);
    expect(read).toHaveBeenCalledTimes(2);
  });
});
