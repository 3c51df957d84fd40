import type { SeededBug } from './run-seeded-bug.ts';

/** Bugs around every handler: the change that it returns, the order of the middlewares, the grants. */

const ofChanges: readonly SeededBug[] = [
  {
    name: 'the expected items of a change are not in its transaction',
    file: 'shared/db/commit.ts',
    find: 'if (expected.length === 0) return transact(writes, options);',
    replace: 'return transact(writes, options);',
    tests: 'test/contract/preconditions.test.ts',
    caughtBy: ['is not applied if another change is made in between'],
  },
  {
    name: 'the replacement of a change loses its expected items',
    file: 'shared/db/change.ts',
    find: 'return this.also({ expected }, (next) => next.expecting(items));',
    replace: 'return this.also({ expected }, (next) => next);',
    tests: 'test/shared/db/commit.test.ts',
    caughtBy: ['is also checked for a change that replaces it'],
  },
  {
    name: 'a version without visible changes has no write_id',
    file: 'shared/db/commit.ts',
    find: 'set: { ...changes.set, write_id: newWriteToken() }',
    replace: 'set: { ...changes.set }',
    tests: 'test/shared/db/commit.test.ts',
    caughtBy: ['that expects an item changes its write id, even if no attribute changes'],
  },
  {
    name: 'a delete loses its condition',
    file: 'shared/db/change.ts',
    find: "  kind: 'delete',\n  key,\n  ...(condition && { condition }),\n",
    replace: "  kind: 'delete',\n  key,\n",
    caughtBy: ['counts equal items'],
  },
  {
    name: 'the record of a response is not in the transaction of its change',
    file: 'shared/db/commit.ts',
    find: '{ [recordName]: recording, ...writes }',
    replace: '{ ...writes }',
    caughtBy: ['same Idempotency-Key, equal response and one change'],
  },
  {
    name: 'the response to a change without writes is not recorded',
    file: 'shared/db/commit.ts',
    find: 'await recordAlone(recording);',
    replace: 'void recording;',
    caughtBy: ['same Idempotency-Key, equal response and one change'],
  },
  {
    name: 'only the first event of a change is written',
    file: 'shared/db/outbox.ts',
    find: 'set: { ...changes.set, events: events.map(toPendingEvent) },',
    replace: 'set: { ...changes.set, events: events.slice(0, 1).map(toPendingEvent) },',
    caughtBy: ['every event once'],
  },
  {
    name: 'events replace the counters of the same update',
    file: 'shared/db/outbox.ts',
    find: 'increment: { ...changes.increment, event_count: events.length },',
    replace: 'increment: { event_count: events.length },',
    caughtBy: ['counts equal items'],
  },
  {
    name: 'a retried creation is not recognised',
    file: 'shared/db/transaction.ts',
    find: "if (old?.['write_id'] !== stored.write_id) throw",
    replace: 'throw',
    tests: 'test/shared/db/transaction.test.ts',
    caughtBy: ['reset after it was done: an item is created, and the retry does not fail on it'],
  },
  {
    name: 'an update has no write_id',
    file: 'shared/db/transaction.ts',
    find: '{ ...changes, set: { ...changes.set, write_id } },',
    replace: 'changes,',
    tests: 'test/shared/db/transaction.test.ts',
    caughtBy: ['reset after it was done: an update adds once and returns the new item'],
  },
];

const ofMiddleware: readonly SeededBug[] = [
  {
    name: 'a rate is counted before the session is verified',
    file: 'shared/http/execute.ts',
    find: 'request.sessionVerified = Promise.resolve(verified);',
    replace: '',
    tests: 'test/contract/credentials.test.ts',
    caughtBy: ['cannot be used on any route, immediately, and nothing is written'],
  },
  {
    name: 'an error of the handler hides the end of the session',
    file: 'shared/http/execute.ts',
    find:
      "      if (session.status === 'rejected') throw session.reason;\n" +
      "      if (ran.status === 'rejected') throw ran.reason;\n",
    replace:
      "      if (ran.status === 'rejected') throw ran.reason;\n" +
      "      if (session.status === 'rejected') throw session.reason;\n",
    tests: 'test/contract/credentials.test.ts',
    caughtBy: ['cannot be used on any route, immediately, and nothing is written'],
  },
  {
    name: 'a body is read before authentication',
    file: 'shared/http/endpoint.ts',
    find:
      '    .use(auth.length > 0 ? authentication(route) : [])\n' +
      '    .use(isForOwnPages(route) ? sameOrigin : [])\n' +
      '    .use(route.navigation ? navigation : [])\n' +
      '    .use(bodyReaders(route))\n',
    replace:
      '    .use(bodyReaders(route))\n' +
      '    .use(auth.length > 0 ? authentication(route) : [])\n' +
      '    .use(isForOwnPages(route) ? sameOrigin : [])\n' +
      '    .use(route.navigation ? navigation : [])\n',
    tests: 'test/contract/credentials.test.ts',
    caughtBy: ['without a credential: 401 before anything else of the request is checked'],
  },
  {
    name: 'a body is parsed before its limits are checked',
    file: 'shared/http/endpoint.ts',
    find: '[strictJson({ ...route, body }), parseJson]',
    replace: '[parseJson, strictJson({ ...route, body })]',
    tests: 'test/contract/input.test.ts',
    caughtBy: ['a body over the limit of the route gets 413, and one of exactly the limit is read'],
  },
  {
    name: 'a credential is checked before the trusted proxy',
    file: 'shared/http/endpoint.ts',
    find: '    .use(trustedProxy)\n    .use(auth.length > 0 ? authentication(route) : [])\n',
    replace: '    .use(auth.length > 0 ? authentication(route) : [])\n    .use(trustedProxy)\n',
    tests: 'test/attack/trusted-proxy.test.ts',
    caughtBy: ['a request past the proxy gets 403 on every path, and reaches no handler'],
  },
  {
    name: 'an error is created after its headers',
    file: 'shared/http/endpoint.ts',
    find: '    .use(securityHeaders(route))\n    .use(problemDetails(route))\n',
    replace: '    .use(problemDetails(route))\n    .use(securityHeaders(route))\n',
    tests: 'test/contract/input.test.ts',
    caughtBy: ['a body over the limit of the route gets 413, and one of exactly the limit is read'],
  },
  {
    name: 'a public route is not counted before its work',
    file: 'shared/http/endpoint.ts',
    find: '    .use(isPublicByProject(route) ? doorRateLimit(route.name) : [])\n',
    replace: '',
    tests: 'test/attack/floods.test.ts',
    caughtBy: ['passwords.signIn: gives 429 until the window ends, without a call to the database'],
  },
  {
    name: 'a response is replayed before the requests are compared',
    file: 'shared/http/idempotency.ts',
    find:
      '    if (!equalInConstantTime(record.fingerprint, fingerprint))\n' +
      "      throw new ApiError('idempotency_key_reused');\n" +
      '    if (record.answer) return { replay: await unseal(sealing, record.answer) };\n',
    replace:
      '    if (record.answer) return { replay: await unseal(sealing, record.answer) };\n' +
      '    if (!equalInConstantTime(record.fingerprint, fingerprint))\n' +
      "      throw new ApiError('idempotency_key_reused');\n",
    caughtBy: ['same Idempotency-Key, equal response and one change'],
  },
];

const used = (name: string) => `the grant of ${name} is exactly what it uses`;

const ofGrants: readonly SeededBug[] = [
  {
    name: 'a function that reads a workspace may delete it',
    file: 'lib/domains/workspaces.ts',
    find: "'workspaces.get': { get: ['workspaces'] },",
    replace: "'workspaces.get': { get: ['workspaces'], delete: ['workspaces'] },",
    tests: 'test/grants.test.ts',
    caughtBy: [used('workspaces.get')],
  },
  {
    name: 'a function that ends an offer may not change the workspace',
    file: 'lib/domains/workspaces.ts',
    find: "'ownership.end': { get: ['workspaces'], update: ['workspaces'] },",
    replace: "'ownership.end': { get: ['workspaces'] },",
    tests: 'test/grants.test.ts',
    caughtBy: [used('ownership.end')],
  },
  {
    name: 'every function for users may change users',
    file: 'lib/functions.ts',
    find: "const ofPersons: Access = { get: ['projects', 'users'], query: ['keys'] };",
    replace:
      "const ofPersons: Access = { get: ['projects', 'users'], query: ['keys'], update: ['users'] };",
    tests: 'test/grants.test.ts',
    caughtBy: [used('users.getMe')],
  },
  {
    name: 'the pattern of a partition matches another partition',
    file: 'lib/grant.ts',
    find: "workspaces: 'WS#*',",
    replace: "workspaces: 'W*',",
    tests: 'test/lib/function.test.ts',
    caughtBy: ['match every key of the table with one partition'],
  },
  {
    name: 'a function that may read an item may scan the table',
    file: 'lib/grant.ts',
    find: "get: ['GetItem', 'BatchGetItem'],",
    replace: "get: ['GetItem', 'BatchGetItem', 'Scan'],",
    tests: 'test/lib/function.test.ts',
    caughtBy: ['know every action that reads or writes items'],
  },
];

export const bugsOfTheFrame: readonly SeededBug[] = [...ofChanges, ...ofMiddleware, ...ofGrants];
