import type { PersonCaller, ProjectCaller } from '../../access/caller.ts';
import { getItem } from '../../db/batch-loader.ts';
import type { Change } from '../../db/change.ts';
import { existsInProject } from '../../db/condition.ts';
import { keys } from '../../db/keys.ts';
import {
  changeMetadata,
  type Fields,
  fieldsOf,
  isSameMetadata,
  type MetadataItem,
  shownTo,
} from '../../metadata/stored.ts';
import { ApiError, notFound } from '../../model/errors.ts';
import { requireUser, type UserItem } from './users.ts';

type MetadataCaller = ProjectCaller | PersonCaller;

/** A user with their metadata; `view`: as the caller may see it. */
type UserWithMetadata = {
  user: UserItem;
  stored: MetadataItem | undefined;
  before: Fields;
  view: Fields;
};

export const getUserMetadata = (uid: string): Promise<MetadataItem | undefined> =>
  getItem<MetadataItem>(keys.userMetadata(uid));

const notByPerson = () =>
  new ApiError('forbidden', {
    detail: "Only the project's backend may change app_metadata or private_metadata",
  });

/**
 * Reads the metadata of a user for the backend or the user. Throws `not_found`, or `forbidden` if a person gives
 * private metadata: before that is merged, because whether it is the same or becomes too large must not be visible.
 */
export async function requireUserMetadata(
  caller: MetadataCaller,
  uid: string,
  metadata: { private_metadata?: unknown } = {},
): Promise<UserWithMetadata> {
  if (caller.kind === 'person' && uid !== caller.uid)
    throw notFound('a person has their own metadata only');
  if (caller.kind === 'person' && metadata.private_metadata !== undefined) throw notByPerson();
  const [user, stored] = await Promise.all([
    requireUser(caller.project_id, uid),
    getUserMetadata(uid),
  ]);
  const before = fieldsOf(stored);
  return { user, stored, before, view: shownTo(caller, before) };
}

/**
 * Changes the metadata of a user. Throws `forbidden` if a person would change what only the backend writes. Stale if it
 * changed meanwhile.
 */
export function changeUserMetadata(
  caller: MetadataCaller,
  { user, stored, before }: UserWithMetadata,
  after: Fields,
): Change<Fields> {
  const { uid, project_id } = user;
  if (caller.kind === 'person' && !isSameMetadata('app_metadata', before, after))
    throw notByPerson();
  return changeMetadata(
    {
      key: keys.userMetadata(uid),
      project_id,
      stored,
      holder: { key: keys.user(uid), condition: existsInProject(project_id) },
      type: 'user.metadata_changed',
    },
    after,
  ).as((fields) => shownTo(caller, fields));
}
