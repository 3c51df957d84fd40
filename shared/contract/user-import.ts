import * as z from 'zod';
import { email } from '../model/email.ts';
import { externalId, line, timestamp, uid } from '../model/fields.ts';
import { maxHashLength, readHash } from '../model/imported-hash.ts';
import { limits } from '../model/limits.ts';
import { newUserMetadata } from '../model/metadata.ts';
import { profile } from './profile.ts';

/** The users of another service, as they are imported. */

const passwordHash = z
  .string()
  .max(maxHashLength)
  .superRefine((text, context) => {
    const read = readHash(text);
    if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem });
  })
  .meta({
    description:
      'In PHC string format or bcrypt format; replaced at the first sign-in. See the guide "Bring your users" for each algorithm.',
    example: '$2b$10$4xaVQTrrCTcA1yPi3sGTfOb4WvZJpTLjEcPmJeYZ7ZjQzqBvUfS6a',
  });

const identity = z.strictObject({
  provider: z.string().max(32).meta({
    description: 'Method name of an identity provider of the project.',
    example: 'google',
  }),
  subject: line(limits.identitySubject).min(1).meta({
    description: 'The id of the account at the provider: the claim `sub` of its ID tokens.',
    example: '110169484474386276334',
  }),
});

const importedUser = z
  .strictObject({
    email: email.optional(),
    email_verified: z.boolean().optional().meta({
      description: 'True: the user is known to own the mailbox. Default false.',
    }),
    external_id: externalId.optional(),
    password_hash: passwordHash.optional(),
    identities: z
      .array(identity)
      .max(limits.importedIdentities)
      .refine(
        (all) => new Set(all.map(({ provider }) => provider)).size === all.length,
        'Must have one account of each provider',
      )
      .optional()
      .meta({ description: 'Accounts at identity providers that sign the user in.' }),
    disabled: z.boolean().optional().meta({ description: 'True: the user cannot sign in.' }),
    created_at: timestamp.optional().meta({
      description: 'When the user was created at the other service; not in the future.',
    }),
    ...newUserMetadata,
    ...profile,
  })
  .superRefine((row, context) => {
    const wrong = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    if (row.email === undefined && row.external_id === undefined)
      wrong('email', 'Is required, unless external_id is given');
    if (row.email === undefined && row.email_verified)
      wrong('email_verified', 'Must come together with email');
    if (row.email === undefined && row.password_hash !== undefined)
      wrong('password_hash', 'Must come together with email');
  });

/** The names of the fields of a row. A function, so that bundles which do not call it have no schema of a row. */
export const importedFields = (): string[] => Object.keys(importedUser.shape);

/** A valid row. */
export type ImportedUser = z.output<typeof importedUser>;

/** A row that is not valid stops no other one: its problems are part of its result. */
export class InvalidRow {
  readonly issues: readonly z.core.$ZodIssue[];

  constructor(issues: readonly z.core.$ZodIssue[]) {
    this.issues = issues;
  }
}

// The generator of the OpenAPI document calls it without an input, for a default value: there is none.
const toInvalidRow = (found: { error: { issues: unknown[] } } | undefined): ImportedUser =>
  (found && new InvalidRow(found.error.issues as z.core.$ZodIssue[])) as unknown as ImportedUser;

const row = importedUser.catch(toInvalidRow) as z.ZodType<ImportedUser | InvalidRow>;

export const userImport = z.strictObject({
  users: z
    .array(row)
    .min(1)
    .max(limits.importedUsers)
    .meta({
      description:
        'Each user is created or reported independently: an invalid user does not make the request fail.',
      'x-result-of-each': true,
      example: [{ email: 'ada@example.com', email_verified: true, external_id: 'crm-4711' }],
    }),
  dry_run: z.boolean().optional().meta({
    description: 'Only reports the result that each user would have.',
  }),
});

const outcome = z.enum(['created', 'exists', 'failed', 'unprocessed']).meta({
  description:
    'exists: there is a user with the external id or the e-mail, which was not changed. failed: see errors. ' +
    'unprocessed: time ran out; send the user again.',
});

const rowResult = z.object({
  outcome,
  uid: uid
    .optional()
    .meta({ description: 'The new or existing user; in a dry run, only an existing user.' }),
  errors: z
    .array(z.object({ pointer: z.string(), detail: z.string() }))
    .optional()
    .meta({ description: 'Every invalid field, with a JSON Pointer into the request.' }),
});
export type RowResult = z.output<typeof rowResult>;

const number = (what: string) => z.int().meta({ description: `Number of users that ${what}.` });

export const userImportResult = z
  .object({
    dry_run: z.boolean(),
    created: number('were, or would be, created'),
    exists: number('existed'),
    failed: number('were refused'),
    unprocessed: number('were not reached in time'),
    results: z.array(rowResult).meta({ description: 'One for each user, in the same order.' }),
  })
  .meta({ id: 'UserImportResult' });
