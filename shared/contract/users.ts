import * as z from 'zod';
import { email } from '../email.ts';
import { limits } from '../limits.ts';
import { agreement, foundUser, paged, uid, user } from '../model.ts';
import { profile } from './profile.ts';
import { group, pageQuery, throttles } from './route.ts';

export const users = group('users', {
  getMe: {
    method: 'GET',
    path: '/users/me',
    summary: 'The caller.',
    auth: ['access'],
    response: user,
    statuses: [200],
    errors: [],
    throttle: throttles.read,
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
          "True: the back end vouches that the mailbox is the user's. False says nothing.",
      }),
      ...profile,
    }),
    response: user,
    statuses: [200, 201],
    errors: [],
    throttle: throttles.write,
  },
  get: {
    method: 'GET',
    path: '/users/{uid}',
    summary: 'Get the user with a uid, or create it.',
    auth: ['project'],
    params: z.strictObject({ uid }),
    response: user,
    statuses: [200, 201],
    errors: ['not_found'],
    throttle: throttles.read,
  },
  search: {
    method: 'POST',
    path: '/users/search',
    summary: 'Find users by their uids.',
    auth: ['project'],
    body: z.strictObject({
      uids: z
        .array(uid)
        .min(1)
        .max(limits.searchUids)
        .refine((uids) => new Set(uids).size === uids.length, 'Must not name a uid twice')
        .meta({ description: 'Distinct uids; the result keeps their order.' }),
      offset: pageQuery.offset,
      limit: pageQuery.limit,
    }),
    response: paged(foundUser),
    statuses: [200],
    errors: [],
    throttle: throttles.read,
  },
  update: {
    method: 'PUT',
    path: '/users/{uid}',
    summary: "Change a user's profile; the back end may change the e-mail, and disable the user.",
    auth: ['project', 'access'],
    params: z.strictObject({ uid }),
    body: z
      .strictObject({
        email: email.optional(),
        email_verified: z.literal(true).optional().meta({
          description: 'The back end vouches for the e-mail of this very request.',
        }),
        disabled: z.boolean().optional().meta({
          description:
            'True ends every session of the user at once and refuses new ones; for the back end only.',
        }),
        agreed_terms: agreement.optional(),
        ...profile,
      })
      .refine((body) => Object.keys(body).length > 0, 'Must name at least one field to change'),
    response: user,
    statuses: [200],
    errors: ['not_found', 'forbidden', 'email_taken'],
    throttle: throttles.write,
  },
});
