import { lifetimes, limits } from '../../model/limits.ts';
import { refreshes } from '../../model/rates.ts';
import type { Operation } from '../api.ts';
import { accountNotes } from './accounts.ts';
import { apiKeyNotes } from './api-keys.ts';
import { oauthNotes } from './oauth.ts';
import { asBefore, days, type NotesOf, type OperationNote } from './operation-note.ts';
import { providerNotes } from './providers.ts';
import { roleNotes } from './roles.ts';
import { userNotes } from './users.ts';
import { workspaceNotes } from './workspaces.ts';

const platformNotes: NotesOf<
  'webhooks' | 'events' | 'stats' | 'browserSessions' | 'projects' | 'discovery' | 'docs' | 'pages'
> = {
  'webhooks.create': {
    text: `Requests to the URL are signed (Standard Webhooks) with the secret of this response. A project has at most ${limits.webhooksPerProject} webhooks.`,
  },
  'webhooks.list': { text: 'One page has all of them. The secrets are not listed.' },
  'webhooks.get': {
    text: 'Shows whether the webhook is disabled and why, and since when it has been failing.',
  },
  'webhooks.update': {
    text: 'Changes only the fields in the body: leave out those that the request does not have. Events that happened while the webhook was disabled are not sent; redeliver their time range.',
  },
  'webhooks.delete': {
    text: 'Attempts that are waiting for a retry are cancelled.',
    answers: asBefore,
  },
  'webhooks.rotateSecret': {
    text: `Two signatures are sent for one day, so that the receiver can change its key without a gap. At most ${limits.previousWebhookSecrets} previous secrets sign.`,
  },
  'webhooks.listAttempts': {
    text: `Attempts are listed for ${days(lifetimes.delivery)}.`,
  },
  'webhooks.redeliver': {
    text: 'Send either `event_id`, or `since` and `until`. The response comes before any event is sent. After 503, retry with the same `Idempotency-Key`: with another key, or without one, every event may be sent twice.',
    rates: ['redeliveredEvents', 'redeliveredRanges'],
  },
  'events.list': {
    text: 'Store `next_cursor` and pass it as `after` in the next request, even if the page is empty. Every event appears exactly once.',
  },
  'events.listOfWorkspace': {
    text: 'The hash of each entry covers the previous one, so that a copy shows every later change. The backend can also read the log of a deleted workspace.',
    permissions: ['event:list'],
  },
  'stats.get': {
    text: 'The numbers are counted from the events of the project and are exact, except `sign_in_failures` and `lockouts`: failed sign-ins and locked passwords are not events, and some may be missing. Like the feed, the numbers are about a second behind. A user is active on a day (UTC) on which a session of theirs starts or is renewed.',
  },
  'projects.get': {
    text: 'Caches may keep the response for a minute. If the project does not exist or has turned its hosted pages off, the response is 404.',
  },
  'browserSessions.keep': {
    text: `For a page that has just signed its user in. The cookie has the refresh token, and no script can read it. The previous session of the browser ends, even if it belongs to another user. A session that an OAuth client started is rejected.`,
    events: ['session.ended'],
  },
  'browserSessions.refresh': {
    text: `Returns a new access token and sets a new cookie. If the response is lost, the client can retry with the previous cookie for ${lifetimes.refreshGrace} seconds; an older cookie revokes the session. A session can be renewed ${refreshes.burst} times at once, and once in ${refreshes.seconds} seconds on average. When the session has ended, the 401 also removes the cookie.`,
    events: ['session.reuse_detected'],
  },
  'browserSessions.end': {
    text: 'Removes the cookie, even if its session has ended. Without a cookie the response is 401.',
    events: ['session.ended'],
  },
  'discovery.jwks': {
    text: 'Verifiers may cache the keys for five minutes: the key that signs after the next rotation is already among them.',
  },
  'discovery.openidConfiguration': {
    text: 'For verifiers of access tokens and for OpenID Connect libraries. All projects share one OpenID provider, and a `client_id` names its project.',
  },
  'discovery.oauthAuthorizationServer': {
    text: 'The same document as `GET /.well-known/openid-configuration`.',
  },
  'docs.home': { text: 'Redirects to `GET /docs`.' },
  'docs.openapi': { text: 'The document that you are reading, for generators and other tools.' },
  'docs.page': { text: 'The page loads its scripts and styles only from this service.' },
  'docs.asset': { text: 'The `type` of every error links to its section of `errors`.' },
  'pages.page': {
    text: 'The page is the same for every project with hosted pages. Its script reads from the URL what to show, and loads nothing from other hosts. Clients whose `Accept` has `text/html`, as browsers do, get an error as a page too.',
  },
  'pages.asset': { text: 'The name of a file changes with its content.' },
};

/** A note for every operation. */
export const operationNotes: Record<Operation, OperationNote> = {
  ...accountNotes,
  ...userNotes,
  ...providerNotes,
  ...workspaceNotes,
  ...roleNotes,
  ...oauthNotes,
  ...apiKeyNotes,
  ...platformNotes,
};
