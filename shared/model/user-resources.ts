import * as z from 'zod';
import { externalId, line, projectId, sessionId, timestamp, uid } from './fields.ts';
import { lifetimes, limits } from './limits.ts';

const name = z.object({
  given_name: z.string(),
  family_name: z.string(),
  formatted: z.string(),
});

const linkOut = z.object({
  value: z.string(),
  type: z.string().optional(),
  primary: z.boolean().optional(),
  display: z.string().optional(),
});

const wallet = z.object({
  address: z.string().meta({ description: 'EVM address, EIP-55; empty: no wallet yet.' }),
  type: z.string(),
});

export const user = z
  .object({
    uid,
    project_id: projectId,
    email: z.string(),
    profile_url: z.string(),
    preferred_username: z.string(),
    thumbnail_url: z.string(),
    name,
    display_name: z.string(),
    about_me: z.string(),
    current_location: z.string(),
    social: z.string().optional(),
    sign_in_methods: z.record(z.string(), z.object({ enabled: z.boolean() })).optional(),
    verified: z.object({ email: z.boolean(), sms: z.boolean().optional() }),
    address: z.string(),
    wallet,
    created_at: timestamp,
    modified_at: timestamp,
    photos: z.array(linkOut),
    urls: z.array(linkOut),
    last_sign_in_at: timestamp.optional(),
    agreed_terms: z.object({ tos: timestamp.optional(), sign_up: timestamp.optional() }).optional(),
    disabled: z.boolean().optional().meta({ description: 'Present, and true, while disabled.' }),
    external_id: externalId.optional(),
  })
  .meta({ id: 'User' });
export type User = z.output<typeof user>;

/** A user as returned by `users/search`: `display_name` is named `displayed_name`. */
export const foundUser = user
  .omit({ display_name: true })
  .extend({ displayed_name: z.string() })
  .meta({ id: 'FoundUser' });
export type FoundUser = z.output<typeof foundUser>;

export const session = z
  .object({
    access_token: z.string().meta({
      description:
        'A JWT, valid until its claim `exp`: for ten minutes, or for an hour where somebody acts as the user.',
    }),
    refresh_token: z.string().meta({
      description: 'Empty where somebody acts as the user: such a session is not renewed.',
    }),
    uid,
    user,
    user_created: z.boolean(),
    device_token: z.string().optional().meta({
      description:
        'In the answer to a sign-in: send it with the next one of this user on this device, wherever that is, and no mail says that the device is new.',
    }),
  })
  .meta({ id: 'Session' });

/** The answer to a first factor of a user who has a second one, or must add one. */
export const mfaRequired = z
  .object({
    mfa_required: z.literal(true),
    mfa_token: z.string().meta({
      description: `For \`POST /sessions/mfa\`: valid once, for ${lifetimes.mfaToken / 60} minutes.`,
    }),
    methods: z.array(z.enum(['totp', 'recovery_code', 'enrol'])).meta({
      description:
        'What the user can show: a code of the authenticator app, or a recovery code. `enrol` alone: the project requires a second factor, and the user must add one with `POST /sessions/mfa/totp`.',
    }),
  })
  .meta({ id: 'MfaRequired' });
export type MfaRequired = z.output<typeof mfaRequired>;

/** That answer, as a part of the routes that take a first factor. */
export const askForFactor = {
  status: 200,
  response: mfaRequired,
  description: 'The user has a second factor, or must add one: no session yet.',
  example: {
    mfa_required: true,
    mfa_token: 'm'.repeat(43),
    methods: ['totp', 'recovery_code'],
  },
} as const;

/** Who acts as a user, and why. Both are shown to the user. */
export const actor = z.object({
  id: line(limits.actorId).min(1).meta({ description: 'Such as the e-mail of a supporter.' }),
  reason: line(limits.actorReason).min(1).meta({ description: 'Such as the number of a ticket.' }),
});

/** A live session as shown to its user; it contains no credential. */
export const sessionInfo = z
  .object({
    session_id: sessionId,
    method: z.string().meta({
      description:
        'How the session was started: idpw, email_code, email_link, passkey, an identity provider, or project.',
    }),
    created_at: timestamp,
    last_refreshed_at: timestamp,
    user_agent: z.string().meta({ description: 'Empty if the backend started the session.' }),
    address: z
      .string()
      .meta({ description: 'The network it was started from: an IPv4 /24 or an IPv6 /48.' }),
    client_id: z.string().optional().meta({
      description: 'The OAuth client that started it; absent for a session of the user alone.',
    }),
    actor: actor.optional().meta({
      description: 'Who acts as the user in it; absent for a session of the user.',
    }),
    current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
  })
  .meta({ id: 'SessionInfo' });
export type SessionInfo = z.output<typeof sessionInfo>;

/** The response to a request that sends a mail; the same whether or not the account exists. */
export const mailed = z
  .object({
    expires_in: z
      .int()
      .meta({ description: 'Seconds for which the mailed link or code is valid.' }),
  })
  .meta({ id: 'Mailed' });
