import { join } from 'node:path';
import type { Project } from '../../shared/access/projects.ts';
import { lifetimes } from '../../shared/model/limits.ts';
import {
  makesLimitedSecret,
  type OperatorRequest,
  type RequestOf,
} from '../../shared/operator/request.ts';
import { missingLinks } from './links.ts';
import type { ProjectCommand } from './request.ts';

const late = `Running instances see the change within ${lifetimes.projectCache} s.`;

/** Remarks on the result, written to stderr because stdout is for programs. */
export function remarks(
  request: OperatorRequest,
  target: ProjectCommand['target'],
  answer: unknown,
): string[] {
  switch (request.action) {
    case 'revoke-secret':
      return ofRevoked(request.secret_id, answer);
    case 'update':
      return [
        ...ofDomain(request),
        ...ofRpId(request),
        ...ofSecretsElsewhere(request),
        ...unsetLinks(answer),
        late,
      ];
    case 'update-secret':
    case 'update-client':
      return [late];
    case 'delete-client':
      return ofDeletedClient(`${request.project_id}.${request.client}`);
    case 'revoke-client-secret':
      return [whenRevoked(request.secret_id)];
    case 'create-client':
    case 'create-client-secret':
      return isNewSecret(answer)
        ? [`${placeOf(target)} The client authenticates with client_id and secret.`]
        : ['The client is public: it has no secret.', late];
    case 'create':
      return ofCreated(request, target, answer);
    case 'create-secret':
      return makesLimitedSecret(request)
        ? ofLimited(request)
        : [...newCredential(target), ...unsetLinks(answer)];
    case 'rotate-key':
      return [...newCredential(target), ...unsetLinks(answer)];
    case 'list':
    case 'list-secrets':
    case 'export-password-hashes':
    case 'retire-hash-kinds':
    case 'count-hash-kinds':
    case 'drop-hash-kinds':
      return [];
  }
}

/** Consequences of a change of the domain: what stops working, and settings that are still missing. */
function ofDomain({ pages_domain }: RequestOf<'update'>): string[] {
  const anew =
    'People sign in to the hosted pages anew, by the same passkeys only at or below a host that is set as rp_id. Sessions of applications go on.';
  if (pages_domain === undefined) return [];
  if (pages_domain === null) return [anew];
  return [
    `Links lead to ${pages_domain} from now on: it needs a certificate and a DNS record.`,
    anew,
  ];
}

/** Consequences of a change of the RP ID. Only a browser knows the domain of a passkey. */
const ofRpId = ({ rp_id }: RequestOf<'update'>): string[] =>
  rp_id === undefined
    ? []
    : [
        `Passkeys of another domain than ${rp_id ?? 'the host of the hosted pages'} sign in nobody until it is set as rp_id again.`,
      ];

/** Secrets that this command does not set, and without which users get 503 or return with an error. */
const ofSecretsElsewhere = ({ captcha, sign_in_providers }: RequestOf<'create' | 'update'>) => [
  ...(captcha
    ? [
        'What needs this captcha gets 503 unless its secret key was set, 5 minutes before: npm run project:captcha-secret.',
      ]
    : []),
  ...(sign_in_providers
    ? [
        'A provider that is new, or has another client_id or issuer, needs its secret: npm run project:provider-secret.',
      ]
    : []),
];

const newCredential = (target: ProjectCommand['target']): string[] => [
  `${placeOf(target)} The Basic credential is project_id:secret.`,
];

function ofLimited({ expires_in, scopes, source_cidrs }: RequestOf<'create-secret'>): string[] {
  return [
    'The secret is shown only once. The Basic credential is project_id:secret.',
    ...(expires_in === undefined ? [] : [`It expires in ${expires_in} s.`]),
    ...(scopes ? [`It has the scopes ${scopes.join(', ')}.`] : []),
    ...(source_cidrs ? [`It works from ${source_cidrs.join(', ')} alone.`] : []),
  ];
}

function ofCreated(
  request: RequestOf<'create'>,
  target: ProjectCommand['target'],
  answer: unknown,
): string[] {
  const { invitation_base_url, hosted_pages } = request;
  const lines = [...newCredential(target), ...ofSecretsElsewhere(request)];
  if (invitation_base_url === undefined && !hosted_pages) {
    lines.push(
      'Its invitation links have no target yet: set --invitation-base-url with project:update.',
    );
  }
  return [...lines, ...unsetLinks(answer)];
}

export function isNewSecret(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'secret' in answer;
}

const placeOf = (target: ProjectCommand['target']): string =>
  'stack' in target
    ? 'The secret is shown only once.'
    : `The secret is stored in ${join(target.folder, 'projects.json')}.`;

/** The mail links that are not set. */
function unsetLinks(answer: unknown): string[] {
  return missingLinks(answer as Project).map(
    (purpose) => `Its ${purpose} mail links have no target yet: set all links with --mail-links.`,
  );
}

const whenRevoked = (secret_id: string): string =>
  `The secret ${secret_id} stops working within ${lifetimes.projectCache} s.`;

function ofRevoked(secret_id: string, answer: unknown): string[] {
  const { secrets = [] } = answer as { secrets?: unknown[] };
  const lines = [whenRevoked(secret_id)];
  if (secrets.length === 0) {
    lines.push(
      'It was the last one: the backend cannot authenticate until project:create-secret creates another.',
    );
  }
  return lines;
}

const ofDeletedClient = (client_id: string): string[] => [
  `Within ${lifetimes.projectCache} s nobody signs in with ${client_id} any more, and none of its sessions is renewed.`,
  `An access token that it has works for up to ${lifetimes.accessToken / 60} minutes more.`,
];
