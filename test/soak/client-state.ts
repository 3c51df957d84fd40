import { basic, type Credential, claimsOf } from '../model/tokens.ts';
import type { Caller, Entry } from './history.ts';

/** The shared knowledge of all clients, from which each chooses its next request. It may be stale. */

export type Session = {
  uid: string;
  session_id: string;
  access: string;
  refresh: string;
  /** Earlier refresh tokens, newest first. */
  older: string[];
};

export type Person = { uid: string; email: string; sessions: Session[]; gone: boolean };

export type Place = {
  workspace_id: string;
  owner: string;
  /** Known admins, with the owner. */
  admins: Set<string>;
  gone: boolean;
  links: { link_id: string; token: string }[];
  invited: { uid: string; email: string; token: string }[];
  offered?: string;
  asking: Set<string>;
  keys: PlaceKey[];
};

/** An API key of a workspace, with its secrets, newest first. */
export type PlaceKey = { key_id: string; tokens: string[] };

export type Project = {
  project_id: string;
  basic: string;
  emails: string[];
  people: Person[];
  places: Place[];
};

/** A few e-mails, so that they collide, in domains that workspaces allow. */
export const domains = ['one.example', 'two.example', 'three.example'] as const;

/** The maximum numbers of sessions of a user, and of workspaces and users of a project, in use. */
const max = { sessions: 6, places: 8, people: 24 };

export function newProject(credential: Credential, emails: number): Project {
  return {
    project_id: credential.project_id,
    basic: basic(credential),
    emails: Array.from({ length: emails }, (_, i) => `p${i}@${domains[i % domains.length]}`),
    people: [],
    places: [],
  };
}

export const asPerson = (project: Project, session: Session): Caller => ({
  kind: 'person',
  project_id: project.project_id,
  uid: session.uid,
  session_id: session.session_id,
  token: session.access,
});

export const asKey = (
  { project_id }: Project,
  { workspace_id }: Place,
  { key_id, tokens }: PlaceKey,
  token = tokens[0] ?? '',
): Caller => ({ kind: 'key', project_id, workspace_id, key_id, token });

export const findPerson = ({ people }: Project, uid: string | undefined): Person | undefined =>
  people.find((person) => person.uid === uid);

/** Updates the state from a response. */
export function learn(project: Project, entry: Entry): void {
  const { name, answer, params = {}, body = {}, status = 0 } = entry;
  const place = project.places.find(
    ({ workspace_id }) => workspace_id === (params['workspace_id'] ?? body['workspace_id']),
  );
  if (status === 401 && entry.as.kind === 'person' && answer?.['code'] === 'token_expired')
    forget(project, entry.as.uid, entry.as.session_id);
  if (!answer || status >= 300) {
    if (name === 'users.delete' && status === 404) leave(project, params['uid']);
    return;
  }
  const text = (field: string) => String(answer[field] ?? '');
  switch (name) {
    case 'users.create':
    case 'users.get':
    case 'users.update':
      return meet(project, text('uid'), text('email'));
    case 'users.delete':
      return leave(project, text('uid'));
    case 'sessions.create':
    case 'sessions.refresh':
      return renew(project, answer);
    case 'workspaces.create':
      // A replayed response to an Idempotency-Key.
      if (project.places.some(({ workspace_id }) => workspace_id === text('workspace_id'))) return;
      project.places.push({
        workspace_id: text('workspace_id'),
        owner: text('owner_id'),
        admins: new Set([text('owner_id')]),
        gone: false,
        links: [],
        invited: [],
        asking: new Set(),
        keys: [],
      });
      if (project.places.length > max.places) project.places.shift();
      return;
    case 'workspaces.delete':
      if (place) place.gone = true;
      return;
    case 'workspaces.restore':
      if (place) place.gone = false;
      return;
    case 'workspaces.get':
      if (place) place.owner = text('owner_id');
      return;
    case 'ownership.offer':
    case 'ownership.accept':
      if (!place) return;
      place.owner = text('owner_id');
      if (answer['ownership_offered_to']) place.offered = text('ownership_offered_to');
      else delete place.offered;
      return;
    case 'members.add':
    case 'members.join':
    case 'invitations.accept':
    case 'joinRequests.approve':
      if (answer['status'] === 'pending') return;
      if (answer['role'] === 'admin') place?.admins.add(text('user_id'));
      place?.asking.delete(text('user_id'));
      return;
    case 'members.changeRole':
      if (answer['role'] === 'admin') place?.admins.add(text('uid'));
      else place?.admins.delete(text('uid'));
      return;
    case 'members.remove':
      place?.admins.delete(text('user_id'));
      return;
    case 'invitations.create':
    case 'invitations.resend': {
      const rows = (answer['results'] as
        | { invitation?: Record<string, unknown> }[]
        | undefined) ?? [{ invitation: answer }];
      for (const { invitation } of rows) {
        const token = /[#&?]token=([\w.-]+)/.exec(String(invitation?.['link']))?.[1];
        if (!invitation || token === undefined) continue;
        const [uid, email] = [String(invitation['user_id']), String(invitation['email'])];
        meet(project, uid, email);
        place?.invited.unshift({ uid, email, token });
        place?.invited.splice(8);
      }
      return;
    }
    case 'joinLinks.create':
      place?.links.unshift({ link_id: text('link_id'), token: text('token') });
      place?.links.splice(4);
      return;
    case 'workspaceKeys.create':
      place?.keys.unshift({ key_id: text('key_id'), tokens: [text('key')] });
      place?.keys.splice(6);
      return;
    case 'workspaceKeys.rotate': {
      const tokens = place?.keys.find(({ key_id }) => key_id === text('key_id'))?.tokens;
      if (tokens && !tokens.includes(text('key'))) tokens.unshift(text('key'));
      tokens?.splice(3);
      return;
    }
    case 'joinRequests.create':
      place?.asking.add(text('user_id'));
      return;
    default:
  }
}

function meet(project: Project, uid: string, email: string): void {
  const person = findPerson(project, uid);
  if (person) person.email = email;
  else project.people.push({ uid, email, sessions: [], gone: false });
  if (project.people.length > max.people) project.people.shift();
}

function leave(project: Project, uid: string | undefined): void {
  const person = findPerson(project, uid);
  if (!person) return;
  person.gone = true;
  // Some stay, to test that they are refused.
  const gone = project.people.filter((each) => each.gone);
  if (gone.length > 3) project.people.splice(project.people.indexOf(gone[0] ?? person), 1);
}

function renew(project: Project, answer: Record<string, unknown>): void {
  const { uid, access_token: access, refresh_token: refresh } = answer as Record<string, string>;
  const person = findPerson(project, uid);
  if (!person || uid === undefined || access === undefined || refresh === undefined) return;
  const session_id = claimsOf(access).sid;
  const session = person.sessions.find((each) => each.session_id === session_id);
  if (!session) person.sessions.unshift({ uid, session_id, access, refresh, older: [] });
  else if (session.refresh !== refresh && !session.older.includes(refresh)) {
    session.older.unshift(session.refresh);
    session.older.splice(4);
    Object.assign(session, { access, refresh });
  }
  person.sessions.splice(max.sessions);
}

function forget(project: Project, uid: string, session_id: string): void {
  const person = findPerson(project, uid);
  if (person) person.sessions = person.sessions.filter((each) => each.session_id !== session_id);
}
