import * as z from 'zod';
import { email } from '../model/email.ts';
import { externalId, externalIdOrNone, paged, pagedAtLeast, uid } from '../model/fields.ts';
import { limits, times } from '../model/limits.ts';
import {
  mergeMetadata,
  newUserMetadata,
  replaceMetadata,
  userMetadata,
} from '../model/metadata.ts';
import { foundUser, user } from '../model/user-resources.ts';
import { password } from './credentials.ts';
import { creation, searchText } from './directory.ts';
import { profile } from './profile.ts';
import { alone, group, pageLimitInBody, pageOffsetInBody, pageQuery } from './route.ts';
import { userDeletion, userExport } from './user-export.ts';
import { agreed, readOnlyUserFields } from './user-fields.ts';
import { userImport, userImportResult } from './user-import.ts';

export const users = group('users', {
  getMe: {
    method: 'GET',
    path: '/users/me',
    summary: 'The caller.',
    auth: ['access'],
    response: user,
    etag: true,
  },
  create: {
    method: 'POST',
    path: '/users',
    summary: 'Get the user with an e-mail, or create it.',
    auth: ['project'],
    body: z.strictObject({
      email,
      email_verified: z.boolean().optional().meta({
        description:
          'True: the backend confirms that the user owns the mailbox. False changes nothing.',
      }),
      external_id: externalId.optional(),
      ...newUserMetadata,
      ...profile,
    }),
    response: user,
    statuses: [200, 201],
    created: '/users/{uid}',
    errors: ['external_id_taken'],
  },
  list: {
    method: 'GET',
    path: '/users',
    summary: 'The users of the project, by time of creation or by a search text.',
    auth: ['project'],
    query: z
      .strictObject({
        ...creation,
        email: email.optional().meta({
          description:
            'Only the user with this e-mail. Not together with another filter or cursor.',
        }),
        external_id: externalId.optional().meta({
          description:
            'Only the user with this external id. Not together with another filter or cursor.',
        }),
        query: searchText.meta({
          description:
            'Only users whose e-mail, name or word of a name starts with this text, ignoring case. Lags by about a second. Not together with order or a time of creation.',
        }),
        limit: pageQuery.limit,
        cursor: pageQuery.cursor,
      })
      .check(
        alone(
          'external_id',
          'email',
          'query',
          'order',
          'created_after',
          'created_before',
          'cursor',
        ),
        alone('email', 'query', 'order', 'created_after', 'created_before', 'cursor'),
        alone('query', 'order', 'created_after', 'created_before'),
      ),
    response: pagedAtLeast(user),
  },
  import: {
    method: 'POST',
    path: '/users/import',
    summary: `Create up to ${limits.importedUsers} users of another service, with their password hashes.`,
    auth: ['project'],
    body: userImport,
    response: userImportResult,
    bodyLimit: limits.importBody,
    time: times.import,
  },
  get: {
    method: 'GET',
    path: '/users/{uid}',
    summary: 'Get the user with a uid, or create it.',
    auth: ['project'],
    params: z.strictObject({ uid }),
    response: user,
    statuses: [200, 201],
    etag: true,
    errors: ['not_found'],
  },
  search: {
    method: 'POST',
    path: '/users/search',
    summary: 'Find users by their uids.',
    auth: ['project'],
    body: z.strictObject({
      uids: z
        .array(uid)
        .max(limits.searchUids)
        .meta({
          description: `Repeated uids count towards the ${limits.searchUids}. The result has the same order and no duplicates.`,
        }),
      offset: pageOffsetInBody,
      limit: pageLimitInBody(),
    }),
    response: paged(foundUser),
    readOnly: true,
  },
  update: {
    method: 'PUT',
    path: '/users/{uid}',
    summary:
      "Change a user's profile; the backend may also change the e-mail and disable the user.",
    auth: ['project', 'access'],
    params: z.strictObject({ uid }),
    body: z.strictObject({
      email: z
        .union([email, z.literal('')])
        .optional()
        .meta({
          description: 'Only the backend may change it; "" is accepted for a user who has none.',
        }),
      email_verified: z.literal(true).optional().meta({
        description: 'True: the backend confirms that the user owns the e-mail in this request.',
      }),
      disabled: z.boolean().optional().meta({
        description:
          'True ends every session of the user at once and rejects new ones. Backend only.',
      }),
      external_id: externalIdOrNone,
      agreed_terms: z
        .strictObject({ tos: agreed, sign_up: agreed })
        .refine((terms) => Object.keys(terms).length > 0, 'Must contain at least one agreement')
        .optional()
        .meta({
          description:
            'The terms that the user agrees to; the time of the request is stored. You may send times back as you read them.',
          minProperties: 1,
        }),
      ...profile,
      ...readOnlyUserFields,
    }),
    response: user,
    etag: true,
    ifMatch: user,
    errors: ['not_found', 'forbidden', 'email_taken', 'external_id_taken'],
  },
  delete: {
    method: 'DELETE',
    path: '/users/{uid}',
    summary: 'Delete a user, and the workspaces that have no other member; returns a receipt.',
    auth: ['project', 'access'],
    notByActor: true,
    recentSignIn: true,
    params: z.strictObject({ uid }),
    body: z.strictObject({
      current_password: password.optional().meta({
        description:
          'Required if the caller is a user with a password; not for the backend. If the project does not allow sign-in by password, a sign-in within the last ten minutes is enough.',
      }),
    }),
    response: userDeletion,
    ifMatch: user,
    errors: ['not_found', 'invalid_credentials', 'password_locked', 'owns_workspaces'],
  },
  getDeletion: {
    method: 'GET',
    path: '/users/{uid}/deletion',
    summary: 'The receipt of a deleted user.',
    auth: ['project'],
    params: z.strictObject({ uid }),
    response: userDeletion,
    errors: ['not_found'],
  },
  getMetadata: {
    method: 'GET',
    path: '/users/{uid}/metadata',
    summary: 'The metadata of a user: your own data.',
    auth: ['project', 'access'],
    params: z.strictObject({ uid }),
    response: userMetadata,
    etag: true,
    errors: ['not_found'],
  },
  setMetadata: {
    method: 'PUT',
    path: '/users/{uid}/metadata',
    summary: 'Replace objects of the metadata of a user.',
    auth: ['project', 'access'],
    params: z.strictObject({ uid }),
    body: replaceMetadata.user,
    response: userMetadata,
    etag: true,
    ifMatch: userMetadata,
    errors: ['not_found', 'forbidden'],
  },
  mergeMetadata: {
    method: 'PATCH',
    path: '/users/{uid}/metadata',
    summary: 'Merge into the metadata of a user (RFC 7396).',
    auth: ['project', 'access'],
    params: z.strictObject({ uid }),
    body: mergeMetadata.user,
    response: userMetadata,
    etag: true,
    ifMatch: userMetadata,
    errors: ['not_found', 'forbidden'],
  },
  export: {
    method: 'GET',
    path: '/users/{uid}/export',
    summary: `All data stored about a user: the first ${limits.exportedOfEach} of each list, the others by pages.`,
    auth: ['project', 'access'],
    params: z.strictObject({ uid }),
    query: z.strictObject({ cursor: pageQuery.cursor }),
    response: userExport,
    errors: ['not_found'],
  },
});
