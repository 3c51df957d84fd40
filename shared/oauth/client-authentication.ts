import { readAuthorization, readBasic } from '../access/authorization-header.ts';
import { countNetworkRequest } from '../access/door-rate-limit.ts';
import { findSecret, isProjectSecret } from '../access/project-secret.ts';
import { getProject, type OAuthClient, type Project } from '../access/projects.ts';
import { currentRequest } from '../db/request-context.ts';
import { ApiError } from '../model/errors.ts';
import { projectId } from '../model/fields.ts';
import { lifetimes } from '../model/limits.ts';
import { findClient, projectIdOf } from './authorization-request.ts';

/** The fields by which a token request names and authenticates its client (RFC 6749, section 2.3). */
export type ClientCredentials = {
  /** The Authorization header. */
  authorization: string | undefined;
  client_id?: string | undefined;
  client_secret?: string | undefined;
  client_assertion?: string | undefined;
  client_assertion_type?: string | undefined;
  /** The address that the request comes from. */
  address: string;
};

/** A client, and whether it has authenticated with a secret. */
export type KnownClient = {
  project: Project;
  client: OAuthClient;
  confidential: boolean;
  address: string;
  /** The client that the project has now, if this request authenticates it too: an instance may know one of before. */
  latest: () => Promise<KnownClient | undefined>;
};

type Presented = { client_id: string; secret: string };

/** Maximum length of an Authorization header in characters; longer ones are rejected unread. */
const maxLength = 1_024;

/**
 * The client of a request: a confidential one has proven its secret, by `client_secret_basic` or `client_secret_post`;
 * a public one names itself only, and its proof is what it presents (`countUnproven`). Throws `invalid_client`, or
 * `invalid_request` for two methods at once (section 2.3), which could be two clients.
 */
export async function authenticateClient(credentials: ClientCredentials): Promise<KnownClient> {
  const { address } = credentials;
  const presented = presentedBy(credentials);
  const project_id = projectIdOf(presented.client_id);
  if (!projectId.safeParse(project_id).success) throw unknown();
  const knownClient = await findKnown(presented, address, lifetimes.projectCache);
  if (knownClient) return knownClient;
  await countFrom(project_id, address);
  // A client, or a secret of it, that was just created may be missing in the cache.
  const created = await findKnown(presented, address, lifetimes.projectReread);
  if (created) return created;
  throw unknown();
}

async function findKnown(
  presented: Presented,
  address: string,
  maxAge: number,
): Promise<KnownClient | undefined> {
  const { client_id, secret } = presented;
  const project_id = projectIdOf(client_id);
  const project = await getProject(project_id, maxAge);
  if (project) currentRequest().subject = { project_id };
  const client = findClient(project, client_id);
  const confidential = client !== undefined && client.secrets.length > 0;
  const proven =
    secret === ''
      ? !confidential
      : isProjectSecret(secret) && findSecret(client, secret, currentRequest().now);
  const latest = () => findKnown(presented, address, lifetimes.projectReread);
  return project && client && proven
    ? { project, client, confidential, address, latest }
    : undefined;
}

/**
 * Counts a request that presents nothing that only the client or its user can have: no secret and no refresh token of
 * ours. It is counted by its network, so a flood of such requests stops nobody elsewhere, and before the table is
 * asked, so guesses are bounded. Throws `too_many_requests`.
 */
export async function countUnproven({
  project: { project_id },
  confidential,
  address,
}: KnownClient): Promise<void> {
  if (!confidential) await countFrom(project_id, address);
}

const countFrom = (project_id: string, address: string): Promise<void> =>
  countNetworkRequest(project_id, 'oauth.token', address, currentRequest().now);

/** One answer for a client that does not exist and for a secret that is not its own. */
const unknown = () =>
  new ApiError('invalid_client', { reason: 'no such client, or not its authentication' });

/** The credential of the request. An empty secret counts as no secret (section 2.3.1). */
function presentedBy(credentials: ClientCredentials): Presented {
  const { authorization, client_id, client_secret = '' } = credentials;
  if (credentials.client_assertion !== undefined || credentials.client_assertion_type !== undefined)
    throw new ApiError('invalid_client', { reason: 'a client assertion' });
  if (authorization === undefined) {
    if (client_id === undefined)
      throw new ApiError('invalid_client', { reason: 'the request names no client' });
    return { client_id, secret: client_secret };
  }
  const basic = readClient(authorization);
  if (client_secret !== '' || (client_id ?? basic.client_id) !== basic.client_id)
    throw new ApiError('invalid_request', {
      detail: 'A client authenticates in the header or in the body, not in both',
    });
  return basic;
}

/** Both parts are form-urlencoded before they become a Basic credential (section 2.3.1). */
function readClient(authorization: string): Presented {
  const header = readAuthorization(authorization, maxLength);
  const basic = header?.scheme === 'basic' ? readBasic(header.credential) : undefined;
  const client_id = basic && formDecoded(basic.id);
  if (!client_id) throw new ApiError('invalid_client', { reason: 'no Basic credential' });
  const secret = formDecoded(basic.secret);
  if (secret === undefined)
    throw new ApiError('invalid_client', { reason: 'the secret is not form-urlencoded' });
  return { client_id, secret };
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
