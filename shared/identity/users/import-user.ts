import { identityProviderOf, type Project, providerOf } from '../../access/projects.ts';
import type { ImportedUser, RowResult } from '../../contract/user-import.ts';
import { type Change, change, create, noChange, type Write } from '../../db/change.ts';
import { itemWithEvents } from '../../db/outbox.ts';
import { findByExternalId } from '../../directory/external-ids.ts';
import { metadataEvents, replaced } from '../../metadata/stored.ts';
import type { FieldError } from '../../model/errors.ts';
import { newUid } from '../../model/ids.ts';
import { limits } from '../../model/limits.ts';
import { issuerOf } from '../../model/provider-presets.ts';
import { getIdentity, linkIdentity } from '../identities/identities.ts';
import { identityLinkedEvent, withIdentity } from '../identities/identity-links.ts';
import type { AdmitKind } from '../passwords/imported-kinds.ts';
import { isOwnHash } from '../passwords/password-hash.ts';
import { newPassword } from '../passwords/passwords.ts';
import { emailGuard, externalIdGuard, newMetadata, newUser, userCreated } from './new-user.ts';
import { findUser, getUidByEmail, type UserItem } from './users.ts';

/** What a row of an import needs to know. */
type Context = {
  project: Project;
  admitKind: AdmitKind;
  dry_run: boolean;
  now: Date;
};

type Linked = { provider: string; issuer: string; subject: string };

/**
 * Creates a user of another service with everything that belongs to it, all or nothing: so a row that is sent again,
 * after a lost response or by two requests at once, finds the user. An existing user is not changed, because somebody
 * else may have signed up with the e-mail since. Stale if another request took one of its names meanwhile.
 */
export async function importUser(
  row: ImportedUser,
  { project, admitKind, dry_run, now }: Context,
): Promise<Change<RowResult>> {
  const { project_id } = project;
  const { email, external_id, password_hash: hash } = row;
  const identities = identitiesOf(row, project);
  const linkable = identities.filter((each) => each.issuer !== undefined) as Linked[];
  const [byEmail, byExternalId, links] = await Promise.all([
    email === undefined ? undefined : getUidByEmail(project_id, email),
    external_id === undefined ? undefined : findByExternalId('USERS', project_id, external_id),
    Promise.all(linkable.map((each) => getIdentity(project_id, each))),
  ]);
  const uid = byExternalId ?? byEmail;
  const other = await hasOtherName(row, byEmail, byExternalId);
  if (uid !== undefined && !other) return noChange({ outcome: 'exists', uid });
  const errors = [
    ...(other ? [other] : []),
    ...identities.flatMap(({ issuer }, i) =>
      issuer === undefined
        ? [{ pointer: `/identities/${i}/provider`, detail: whyNoIssuer(project, row, i) }]
        : [],
    ),
    ...linkable.flatMap((each, i) =>
      links[i] === undefined
        ? []
        : [{ pointer: `/identities/${identities.indexOf(each)}`, detail: alreadyLinked }],
    ),
    // Two providers may have one issuer.
    ...linkable.flatMap((each, i) =>
      linkable.slice(0, i).some((earlier) => isSameAccount(earlier, each))
        ? [{ pointer: `/identities/${identities.indexOf(each)}`, detail: repeatedAccount }]
        : [],
    ),
    ...((row.created_at ?? '') > now.toISOString()
      ? [{ pointer: '/created_at', detail: 'Must not be in the future' }]
      : []),
  ];
  // Last: the hash of a row that creates nobody takes no place of another kind.
  if (hash !== undefined && !isOwnHash(hash) && !(await admitKind(hash, errors.length === 0)))
    errors.push({ pointer: '/password_hash', detail: tooManyKinds });
  if (errors.length > 0) return noChange({ outcome: 'failed', errors });
  if (dry_run) return noChange({ outcome: 'created' });
  return createImported(project_id, row, linkable, now);
}

/** Why the users that the e-mail and the external id of a row belong to are not the row's; undefined if they are. */
async function hasOtherName(
  { external_id }: ImportedUser,
  byEmail: string | undefined,
  byExternalId: string | undefined,
): Promise<FieldError | undefined> {
  if (byEmail === undefined || byEmail === byExternalId) return undefined;
  if (byExternalId !== undefined)
    return { pointer: '/external_id', detail: 'Belongs to another user than the e-mail' };
  if (external_id === undefined) return undefined;
  const { external_id: theirs } = (await findUser(byEmail)) ?? {};
  // A user without one may have signed up since, and is the row's.
  if (theirs === undefined || theirs === external_id) return undefined;
  const detail = `The e-mail belongs to a user with another external id, ${theirs}`;
  return { pointer: '/email', detail };
}

const isSameAccount = (a: Linked, b: Linked) => a.issuer === b.issuer && a.subject === b.subject;

const unknownProvider = 'Must be an identity provider of the project';
const manyIssuers = 'Must be a provider with one issuer: set its tenant for the import';
const repeatedAccount = 'Is the account of an earlier identity: both providers have one issuer';
const alreadyLinked = 'Is linked with another user';
const tooManyKinds = `Has another algorithm or other parameters than the ${limits.importedHashKinds} that the project has imported`;

const whyNoIssuer = (project: Project, row: ImportedUser, i: number): string =>
  providerOf(project, row.identities?.[i]?.provider ?? '') ? manyIssuers : unknownProvider;

/** The accounts of a row, with the issuers of their providers; none for a provider that the project does not have. */
const identitiesOf = (
  { identities = [] }: ImportedUser,
  project: Project,
): (Omit<Linked, 'issuer'> & { issuer: string | undefined })[] =>
  identities.map((each) => ({ ...each, issuer: issuerIn(project, each.provider) }));

/** The issuer of the accounts of a provider, whether its people bring ID tokens or are redirected to it. */
function issuerIn(project: Project, provider: string): string | undefined {
  const byToken = identityProviderOf(project, provider);
  if (byToken) return byToken.issuer;
  const byRedirect = providerOf(project, provider);
  return byRedirect && issuerOf(byRedirect);
}

function createImported(
  project_id: string,
  row: ImportedUser,
  identities: readonly Linked[],
  now: Date,
): Change<RowResult> {
  const { password_hash: hash, identities: _, created_at, disabled, ...others } = row;
  const { user_metadata, app_metadata, private_metadata, ...profile } = others;
  const metadata = replaced({}, { user_metadata, app_metadata, private_metadata });
  const ofMetadata = metadataEvents('user.metadata_changed', {}, metadata);
  const uid = newUid(now);
  const { email = '', email_verified } = profile;
  const created: RowResult = { outcome: 'created', uid };
  const user: UserItem = {
    ...newUser(project_id, uid, { ...profile, email, email_verified }, now),
    ...(created_at !== undefined && { created_at }),
    ...(disabled && { disabled }),
    ...(ofMetadata.length > 0 && { has_metadata: true as const }),
    ...(hash !== undefined && { sign_in_methods: { idpw: { enabled: true } } }),
  };
  for (const { provider, ...identity } of identities)
    Object.assign(user, withIdentity(user, { provider, identity }));
  const links = identities.map(({ provider, ...identity }): [string, Write] => [
    `identity ${provider}`,
    linkIdentity(user, provider, identity, now),
  ]);
  const events = identities.map(({ provider }) => identityLinkedEvent(provider));
  return change(
    {
      guard: email === '' ? undefined : emailGuard(user),
      external_id: externalIdGuard(user),
      user: create(itemWithEvents(user, userCreated, ...ofMetadata, ...events)),
      metadata: newMetadata(user, metadata),
      password: hash === undefined ? undefined : create(newPassword(uid, hash, now)),
      ...Object.fromEntries(links),
    },
    created,
  ).rereadingOnConflict();
}
