import { routes } from '../../../shared/contract/api.ts';
import { failuresOf } from '../../../shared/contract/route.ts';
import { errorCodes } from '../../../shared/model/error-codes.ts';
import { claimsOf } from '../../model/tokens.ts';
import { type Entry, type History, outcomeOf, type Violation } from '../history.ts';
import { text } from './view.ts';

/** Rules about single responses and about responses compared with each other. */

const routeOf = new Map(
  routes.map((route) => [
    route.name as string,
    { statuses: new Set<number>(route.statuses), codes: new Set<string>(failuresOf(route)) },
  ]),
);

/** Whether the contract has this response of an operation. An internal error never is. */
export function isDocumented(name: string, status: number, code: string): boolean {
  const route = routeOf.get(name);
  if (status < 400) return route?.statuses.has(status) === true;
  return (
    code !== 'internal_error' &&
    route?.codes.has(code) === true &&
    errorCodes[code as keyof typeof errorCodes].status === status
  );
}

/** Every response must be declared in the contract, and none may be an internal error. */
export function onlyDocumentedAnswers({ entries }: History): Violation[] {
  return entries.flatMap(({ id, name, status, answer, text: body }) => {
    // The client had disconnected.
    if (status === undefined || isDocumented(name, status, text(answer, 'code'))) return [];
    const what = `${name} answered ${status} ${body?.slice(0, 200)}`;
    return [{ rule: 'only documented statuses, never 500', what, entries: [id] }];
  });
}

/** Data of one project must be invisible to another, and no response may name another project. */
export function nothingOfAnotherProject({ entries, projects }: History): Violation[] {
  const rule = 'nothing of one project through another';
  return entries.flatMap(({ id, name, as, probe, status, answer, text: body }) => {
    const others = projects.filter((each) => each !== as.project_id);
    if (others.some((other) => body?.includes(`"project_id":"${other}"`)))
      return [{ rule, what: `${name} showed something of another project`, entries: [id] }];
    if (probe !== 'foreign' || status === undefined || status >= 500) return [];
    const nothing = name === 'users.search' && status === 200 && answer?.['total'] === 0;
    if (nothing || status === 404 || status === 401) return [];
    return [{ rule, what: `${name} answered ${status} about another project`, entries: [id] }];
  });
}

/** A cursor must be valid only for its own list. */
export function cursorsAreOfTheirList({ entries }: History): Violation[] {
  return entries.flatMap(({ id, name, probe, status }) =>
    probe === 'cursor' && status === 200
      ? [
          {
            rule: 'pages without gaps or repeats',
            what: `${name} took the cursor of another list`,
            entries: [id],
          },
        ]
      : [],
  );
}

/** Two uses of one refresh token must get the same successor, and a token from two rotations ago none. */
export function oneGenerationOfTokens({ entries }: History): Violation[] {
  const refreshed = entries.filter(
    ({ name, status }) => name === 'sessions.refresh' && status === 200,
  );
  const found: Violation[] = [];
  const byToken = new Map<string, Entry[]>();
  for (const entry of refreshed) {
    const token = entry.as.kind === 'refresh' ? entry.as.token : '';
    const [first] = byToken.get(token) ?? [];
    if (!first) {
      byToken.set(token, [entry]);
      continue;
    }
    byToken.get(token)?.push(entry);
    if (successorOf(first) !== successorOf(entry))
      found.push({
        rule: 'equal responses to equal tokens',
        what: 'One refresh token was given two successors',
        entries: [first.id, entry.id],
      });
  }
  for (const [, ones] of byToken)
    for (const entry of ones) {
      const successor = text(entry.answer, 'refresh_token');
      // The use of the successor makes this token one from two rotations ago.
      const later = byToken.get(successor)?.find(({ ended }) => ended < lastBegan(ones));
      const old = later && ones.find(({ began }) => began > later.ended);
      if (!later || !old) continue;
      found.push({
        rule: 'one valid refresh token per session',
        what: 'A refresh token of two rotations ago was answered',
        entries: [later.id, old.id],
      });
      break;
    }
  return found;
}

const lastBegan = (entries: readonly Entry[]): number =>
  entries.reduce((last, { began }) => Math.max(last, began), -Infinity);

/** The pair of tokens, without the e-mail claims of the access token, which may change in between. */
function successorOf({ answer }: Entry): string {
  const { sid, sub, jti, iat } = claimsOf(text(answer, 'access_token')) as Record<string, unknown>;
  return JSON.stringify([text(answer, 'refresh_token'), sid, sub, jti, iat]);
}

/** One e-mail must lead to one user, until that user is deleted or has another e-mail. */
export function oneUserPerEmail({ entries }: History): Violation[] {
  const made = new Map<string, Entry[]>();
  const released = new Map<string, Entry[]>();
  const note = (map: Map<string, Entry[]>, key: string, entry: Entry) =>
    void (map.get(key)?.push(entry) ?? map.set(key, [entry]));
  for (const entry of entries) {
    const { name, as, status, body, params } = entry;
    const outcome = outcomeOf(entry);
    if (name === 'users.create' && status === 201)
      note(made, `${as.project_id} ${text(body, 'email').toLowerCase()}`, entry);
    const moves = name === 'users.update' && body?.['email'] !== undefined;
    if ((moves || name === 'users.delete') && outcome !== 'refused')
      note(released, params?.['uid'] ?? '', entry);
  }
  const found: Violation[] = [];
  for (const [email, creations] of made) {
    const inOrder = creations.toSorted((a, b) => a.ended - b.ended);
    for (const [i, second] of inOrder.entries()) {
      const first = inOrder[i - 1];
      // Two responses to one Idempotency-Key are about one user.
      if (!first || text(first.answer, 'uid') === text(second.answer, 'uid')) continue;
      const freed = released
        .get(text(first.answer, 'uid'))
        ?.some((each) => each.began < second.ended);
      if (!freed)
        found.push({
          rule: 'one user per e-mail',
          what: `Two users were made for ${email}`,
          entries: [first.id, second.id],
        });
    }
  }
  return found;
}

/** An Idempotency-Key must get the same bytes every time, and not be in progress after its first response. */
export function equalAnswersToEqualKeys({ entries }: History): Violation[] {
  const rule = 'same Idempotency-Key, equal response and one change';
  const keyed = entries.filter(({ key, probe }) => key !== undefined && probe !== 'key');
  const groups = Map.groupBy(keyed, ({ key, as }) => `${as.project_id} ${key}`);
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group.filter((entry) => outcomeOf(entry) === 'done');
    if (!first) return [];
    const other = others.find(
      ({ text: body, status }) => body !== first.text || status !== first.status,
    );
    const late = group.find(
      ({ answer, began }) => answer?.['code'] === 'request_in_progress' && began > first.ended,
    );
    const found = (entry: Entry | undefined, how: string): Violation[] =>
      entry ? [{ rule, what: `${first.name} ${how}`, entries: [first.id, entry.id] }] : [];
    return [
      ...found(other, 'answered one Idempotency-Key in two ways'),
      ...found(late, 'was at work on an Idempotency-Key that it had answered'),
    ];
  });
}

/** A used Idempotency-Key must be refused for another request. */
export function keysAreOfOneRequest({ entries }: History): Violation[] {
  return entries.flatMap(({ id, name, probe, status }) =>
    probe === 'key' && status !== undefined && status < 400
      ? [
          {
            rule: 'same Idempotency-Key, equal response and one change',
            what: `${name} took the Idempotency-Key of another request`,
            entries: [id],
          },
        ]
      : [],
  );
}
