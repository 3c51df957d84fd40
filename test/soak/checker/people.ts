import { claimsOf } from '../../model/tokens.ts';
import { type Entry, outcomeOf, type Scan, uidOf } from '../history.ts';
import { known, type Registers } from './registers.ts';
import { invitationsIn, list, text, usersIn } from './view.ts';

/** The maximum number of sessions of a user. */
const maxSessions = 50;

/** Reads users and their sessions from a history. */
export function digestPeople(
  registers: Registers,
  entries: readonly Entry[],
  scan: Scan | undefined,
): void {
  const starts: Start[] = [];
  const firstSeen = new Map<string, number>();
  for (const { sk, uid } of scan?.items ?? [])
    if (sk === 'USER') firstSeen.set(String(uid), scan?.at ?? Infinity);
  for (const entry of entries) {
    for (const uid of uidsIn(entry))
      firstSeen.set(uid, Math.min(firstSeen.get(uid) ?? Infinity, entry.ended));
    digestUser(registers, entry);
    digestSession(registers, entry, starts);
  }
  digestEndings(registers, entries, starts);
  digestMaking(registers, entries, firstSeen);
}

const uidsIn = (entry: Entry): string[] => {
  const made = entry.name === 'users.create' ? [text(entry.answer, 'uid')] : [];
  const invited = invitationsIn(entry).map((invitation) => text(invitation, 'user_id'));
  const shown = usersIn(entry).map((user) => text(user, 'uid'));
  return [...made, ...invited, ...shown].filter((uid) => uid !== '');
};

function digestUser(registers: Registers, entry: Entry): void {
  const { name, as, status, params = {}, body = {}, answer } = entry;
  const outcome = outcomeOf(entry);
  const uid = params['uid'] ?? '';
  const byBackEnd = as.kind === 'project' && entry.probe === undefined;
  for (const user of usersIn(entry)) {
    const of = text(user, 'uid');
    registers.of('user', of).read(known('live', entry));
    // The values that this request set are recorded below.
    registers.of('display name', of).read(known(text(user, 'display_name'), entry));
    registers.of('e-mail', of).read(known(text(user, 'email').toLowerCase(), entry));
    registers.of('disabled', of).read(known(String(user['disabled'] === true), entry));
  }
  if (name === 'users.create' && status === 200) {
    const of = text(answer, 'uid');
    registers.of('user', of).read(known('live', entry));
    registers.of('e-mail', of).read(known(text(body, 'email').toLowerCase(), entry));
  }
  if (name === 'users.delete' && entry.probe === undefined) {
    const user = registers.of('user', uid);
    if (outcome === 'done') user.wrote(known('gone', entry));
    if (outcome === 'unknown') user.mayWrite(known('gone', entry));
  }
  if (name === 'users.getDeletion' && outcome !== 'unknown')
    registers.of('user', uid).read(known(outcome === 'done' ? 'gone' : 'live', entry));
  if (byBackEnd && status === 404 && (name === 'users.get' || name === 'users.update'))
    registers.of('user', uid).read(known('gone', entry));
  if (name === 'sessions.create' && byBackEnd) {
    const of = text(body, 'uid');
    if (status === 404) registers.of('user', of).read(known('gone', entry));
    if (status === 403) registers.of('disabled', of).read(known('true', entry));
    if (status === 201) registers.of('disabled', of).read(known('false', entry));
  }
  if (name !== 'users.update' || outcome === 'refused' || entry.probe !== undefined) return;
  const write = (kind: 'display name' | 'e-mail' | 'disabled', value: string) => {
    const register = registers.of(kind, uid);
    if (outcome === 'done') register.wrote(known(value, entry));
    else register.mayWrite(known(value, entry));
  };
  if (body['display_name'] !== undefined) write('display name', text(body, 'display_name'));
  if (body['email'] !== undefined) write('e-mail', text(body, 'email').toLowerCase());
  if (body['disabled'] !== undefined) write('disabled', String(body['disabled']));
}

type Start = { uid: string; session_id: string | undefined; entry: Entry };

function digestSession(registers: Registers, entry: Entry, starts: Start[]): void {
  const { name, as, status, answer, params = {} } = entry;
  const code = text(answer, 'code');
  const outcome = outcomeOf(entry);
  if (name === 'sessions.create' && outcome !== 'refused') {
    const uid = text(entry.body, 'uid');
    const session_id =
      answer && outcome === 'done' ? claimsOf(text(answer, 'access_token')).sid : undefined;
    starts.push({ uid, session_id, entry });
    if (session_id === undefined) return;
    const session = registers.of('session', session_id);
    session.mayWrite({ ...known('ended', entry), began: -1 }, 0);
    session.wrote(known('live', entry));
  }
  if (as.kind === 'person' || as.kind === 'refresh') {
    const session = registers.of('session', as.session_id);
    if (status === 401 && (code === 'unauthenticated' || code === 'refresh_token_reused'))
      session.read(known('ended', entry));
    // A request that violates the schema is rejected before the session is checked.
    const looked = status !== undefined && status < 500 && code !== 'invalid_request';
    if (looked && status !== 401) session.read(known('live', entry));
    // Reuse of a token ends the session.
    if (as.kind === 'refresh' && code === 'refresh_token_reused')
      session.wrote(known('ended', entry));
    if (as.kind === 'refresh' && outcome === 'unknown') session.mayWrite(known('ended', entry));
    if (name === 'sessions.signOut') ends(session, entry);
  }
  if (name === 'sessions.end') {
    const session = registers.of('session', params['session_id'] ?? '');
    ends(session, entry);
    if (status === 404) session.read(known('ended', entry));
  }
  if (name === 'sessions.list' && outcome === 'done') {
    const listed = new Set(list(answer, 'result').map((session) => text(session, 'session_id')));
    const uid = as.kind === 'project' ? String(entry.query?.['user_id']) : uidOf(as);
    // The list also has sessions started by requests with unknown outcome, whose tokens no client has.
    for (const { session_id, uid: of } of starts)
      if (of === uid && session_id !== undefined)
        registers
          .of('session', session_id)
          .read(known(listed.has(session_id) ? 'live' : 'ended', entry));
  }
}

const ends = (session: ReturnType<Registers['of']>, entry: Entry): void => {
  const outcome = outcomeOf(entry);
  if (outcome === 'done') session.wrote(known('ended', entry));
  if (outcome === 'unknown') session.mayWrite(known('ended', entry));
};

/** Records requests that end all earlier sessions of a user. */
function digestEndings(registers: Registers, entries: readonly Entry[], starts: Start[]): void {
  const startsOf = Map.groupBy(starts, ({ uid }) => uid);
  for (const entry of entries) {
    const { name, as, body = {}, params = {} } = entry;
    const outcome = outcomeOf(entry);
    if (outcome === 'refused' || entry.probe !== undefined) continue;
    const all =
      name === 'sessions.endAll' ||
      name === 'users.delete' ||
      (name === 'users.update' && body['disabled'] === true);
    if (!all) continue;
    const uid =
      params['uid'] ?? (as.kind === 'project' ? String(entry.query?.['user_id']) : uidOf(as));
    const own = name === 'sessions.endAll' && as.kind === 'person' ? as.session_id : undefined;
    for (const { session_id, entry: start } of startsOf.get(uid) ?? []) {
      if (session_id === undefined || session_id === own) continue;
      const session = registers.of('session', session_id);
      if (outcome === 'unknown') session.mayWrite(known('ended', entry));
      else if (start.ended < entry.began) session.wrote(known('ended', entry));
      // The order of a concurrent start is unknown.
      else session.mayWrite(known('ended', entry), entry.ended);
    }
  }
  for (const some of startsOf.values())
    for (const [i, { session_id }] of some.entries()) {
      const beyond = some[i + maxSessions - 10];
      if (session_id !== undefined && beyond)
        registers.of('session', session_id).mayWrite(known('ended', beyond.entry));
    }
}

/** Records the creation of a user: by an acknowledged request, or by one with unknown outcome. */
function digestMaking(
  registers: Registers,
  entries: readonly Entry[],
  firstSeen: ReadonlyMap<string, number>,
): void {
  const made = new Set<string>();
  const makers: Entry[] = [];
  for (const entry of entries) {
    const { name, status, body, answer } = entry;
    if (name === 'users.create' && status === 201) {
      const uid = text(answer, 'uid');
      made.add(uid);
      registers.of('user', uid).wrote(known('live', entry));
      registers.of('display name', uid).wrote(known(text(body, 'display_name'), entry));
      registers.of('e-mail', uid).wrote(known(text(body, 'email').toLowerCase(), entry));
      registers.of('disabled', uid).wrote(known('false', entry));
    } else if (name === 'users.create' && outcomeOf(entry) === 'unknown') makers.push(entry);
    else if (name === 'invitations.create' && outcomeOf(entry) !== 'refused') makers.push(entry);
  }
  for (const [uid, ended] of firstSeen) {
    if (made.has(uid)) continue;
    const from = { value: 'live', began: -1, ended, id: 0 };
    registers.of('user', uid).mayWrite(from, ended);
    registers.of('disabled', uid).mayWrite({ ...from, value: 'false' }, ended);
    registers.of('display name', uid).mayWrite({ ...from, value: '' }, ended);
    for (const entry of makers) {
      const named = text(entry.body, 'display_name');
      if (named !== '') registers.of('display name', uid).mayWrite(known(named, entry), ended);
      for (const email of emailsIn(entry))
        registers.of('e-mail', uid).mayWrite(known(email, entry), ended);
    }
  }
}

const emailsIn = ({ body }: Entry): string[] =>
  [body, ...list(body, 'invitations')]
    .map((each) => text(each, 'email').toLowerCase())
    .filter((email) => email !== '');
