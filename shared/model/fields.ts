import * as z from 'zod';
import { limits } from './limits.ts';

// Control characters forge log lines; bidirectional overrides make one name look like another. Without classes such as
// \p{Cc}, which readers of the OpenAPI document know only by a flag.
const unprintableChars = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069`;

/** Printable text on one line. */
const plain = new RegExp(`^[^${unprintableChars}]*$`);

/** Printable text with line breaks. */
const plainLines =
  // oxlint-disable-next-line eslint/no-control-regex
  /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/;

/** Whether it has no lone surrogate. */
const isWellFormed = (value: string): boolean => value.isWellFormed();

/** Limits the number of characters, counted as in JSON Schema's `maxLength`: code points, not UTF-16 code units. */
function atMost(maximum: number) {
  const check = z.check<string>(({ value: input, issues }) => {
    // A text never has more code points than code units.
    if (input.length > maximum && Array.from(input).length > maximum)
      issues.push({ code: 'too_big', origin: 'string', maximum, inclusive: true, input });
  });
  // The generator of the OpenAPI document reads the maximum from there.
  // oxlint-disable-next-line eslint/no-underscore-dangle
  check._zod.onattach.push(({ _zod }) => void (_zod.bag['maximum'] = maximum));
  return check;
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** UUIDs are case-insensitive (RFC 9562 section 4); compared and stored in lower case. */
export const uid = z
  .string()
  .regex(new RegExp(uuid.source.replaceAll('a-f', 'a-fA-F')), 'Must be a UUID')
  .toLowerCase()
  .meta({
    description: 'Id of a user: a UUID, always returned in lower case.',
    maxLength: 36,
    example: '0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a01',
  });

export const workspaceId = z
  .string()
  .regex(new RegExp(`^wid-${uuid.source.slice(1)}`), 'Must be wid- and a UUID in lower case')
  .meta({
    description: 'Id of a workspace.',
    maxLength: 40,
    example: 'wid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a02',
  });

export const memberId = z.string().meta({
  description: 'Id of a membership.',
  example: 'mid-0192f0c1-7c1e-7cc2-b0ac-2a1b8f6f5a03',
});

export const projectId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Must be 1 to 63 lower-case letters, digits and hyphens')
  .meta({ description: 'Id of a project.', maxLength: 63, example: 'demo' });

/** The name of a role: one of those that every project has, or one that the project defines. */
const roleName = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,31}$/,
    'Must be 1 to 32 lower-case letters, digits and hyphens, a letter first',
  );

/** What the names of roles begin with that a workspace defines for itself. A project defines none of such a name. */
const ownRolePrefix = 'ws-';

/** Whether a name is that of a role of a workspace's own. */
export const isOwnRole = (name: string): boolean => name.startsWith(ownRolePrefix);

/** The name of a role that a workspace defines for itself. */
export const ownRole = z
  .string()
  .regex(
    /^ws-[a-z0-9][a-z0-9-]{0,28}$/,
    'Must be ws- and 1 to 29 lower-case letters, digits and hyphens, no hyphen first',
  )
  .meta({
    description: "The name of a role of the workspace's own, by which members have it.",
    maxLength: 32,
    example: 'ws-editor',
  });

/** Whether a role is one that every project has. */
export const isBuiltIn = (name: string): boolean => name === 'admin' || name === 'member';

export const role = roleName.meta({
  description:
    'Role of a member: `admin`, `member`, a role of the project, or one of the workspace, which begins with `ws-`.',
  maxLength: 32,
  example: 'member',
});

/** What somebody is to a workspace: its owner is an admin too. */
export const workspaceRole = roleName.meta({
  description: 'What the user is in the workspace: `owner`, or the role.',
  maxLength: 32,
  example: 'admin',
});

export const status = z
  .enum(['accepted', 'pending'])
  .meta({ description: 'Status of a membership.', example: 'accepted' });

export type Role = z.output<typeof role>;

export type Status = z.output<typeof status>;

export const sessionId = z.string().regex(uuid, 'Must be a UUID in lower case').meta({
  description: 'Id of a session.',
  maxLength: 36,
  example: '7d3a1f4e-8c55-4f0e-9a53-0b6f5b1f2c11',
});

/** What a user agrees to in this request; the service records the time. */
export const agreement = z
  .strictObject({ tos: z.literal(true).optional(), sign_up: z.literal(true).optional() })
  .refine((terms) => Object.keys(terms).length > 0, 'Must contain at least one agreement')
  .meta({
    description: 'What the user agrees to; the time of the request is stored.',
    minProperties: 1,
  });

/**
 * A time, as items and responses have it: ISO 8601, in UTC, with milliseconds. A request may write it in any form of
 * RFC 3339, such as `+00:00` or without milliseconds, as many clients do.
 */
export const timestamp = z.iso
  // What is no time aborts validation: whether it is before another cannot be checked.
  .datetime({ offset: true, abort: true })
  // Times are compared as texts.
  .check(z.maxLength(40), (time) => {
    time.value = new Date(time.value).toISOString();
    // An offset leads out of these years, into texts that begin with a sign and sort before all others.
    const message = 'Must be in the years 0 to 9999 of UTC';
    if (time.value < '0') time.issues.push({ code: 'custom', message, input: time.value });
  })
  .meta({
    description: 'RFC 3339; responses have UTC, with milliseconds.',
    example: '2026-11-21T08:00:00.000Z',
  });

const unprintable = 'Must not contain control characters';

/** One line of text: no control characters, no bidirectional overrides. */
export const line = (max: number) =>
  z.string().check(atMost(max)).regex(plain, unprintable).refine(isWellFormed, unprintable);

/** A line of which something can be seen. */
export const filledLine = (max: number) => line(max).regex(notBlank, 'Must not be blank');

// Unicode's Default_Ignorable_Code_Point, and the blank of Braille.
const invisibleChars = String.raw`\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8`;

// Further ones are pairs, which the first half shows: U+E0000 to U+E0FFF. No document has halves of pairs, which some
// languages refuse in a pattern.
export const notBlank = new RegExp(String.raw`[^${invisibleChars}\udb40-\udb43\udc00-\udfff]`);

/** The patterns of such a line, as one. */
export const filledPattern = String.raw`^[^${unprintableChars}]*[^${invisibleChars}${unprintableChars}][^${unprintableChars}]*$`;

/** Text that may have line breaks. */
export const text = (max: number) =>
  z.string().check(atMost(max)).regex(plainLines, unprintable).refine(isWellFormed, unprintable);

/** The id that the project's backend gives a user or workspace. */
export const externalId = line(limits.externalId).min(1).meta({
  description:
    'The id that your backend gave it; unique in the project, upper and lower case differ.',
  example: 'crm-4711',
});

/** An external id in a change: the empty string or null clears it. */
export const externalIdOrNone = line(limits.externalId).nullable().optional().meta({
  description: 'Unique in the project; null or "" clears it. Only the backend may change it.',
});

const httpsPattern = String.raw`^https://[\w.~:/?#\[\]@!$&'()*+,;=%-]+$`;

const https = new RegExp(httpsPattern);

/** An absolute https URL. */
export const httpsUrl = z
  .string()
  .max(limits.url)
  .refine(isHttpsUrl, 'Must be an https URL')
  .meta({ format: 'uri', pattern: httpsPattern, example: 'https://example.com/logo.png' });

/** An https URL, or the empty string for none. */
export const httpsUrlOrEmpty = z
  .string()
  .max(limits.url)
  .refine((value) => value === '' || isHttpsUrl(value), 'Must be an https URL or empty')
  .meta({ pattern: `^$|${httpsPattern}`, example: 'https://example.com/me' });

/** A multi-valued attribute as in RFC 7643 section 2.4. */
export const link = z.strictObject({
  value: httpsUrl,
  type: line(limits.name).optional(),
  primary: z.boolean().optional(),
  display: line(100).optional(),
});

export const domainMode = z.enum(['suggest', 'auto', 'off']).meta({
  description:
    'auto: users with a verified e-mail in the domain may join at once. suggest: they may request to join. off: neither.',
  example: 'suggest',
});

/** The paged list envelope. */
export const paged = <T extends z.ZodType>(element: T) =>
  z.object({
    total: z.int().meta({ description: 'Total number of results.' }),
    count: z.int().meta({ description: 'Number of results in this page.' }),
    result: z.array(element),
  });

/** The paged list envelope of a list that is not counted to its end. */
export const pagedAtLeast = <T extends z.ZodType>(element: T) =>
  paged(element).extend({
    total_is_at_least: z.boolean().optional().meta({
      description: 'True if there are more than `total` says: they were not read.',
    }),
  });

function isHttpsUrl(value: string): boolean {
  // Only RFC 3986 characters: everything else must be percent-encoded already, so that escaping cannot make a page of a
  // list exceed Lambda's 6 MB. No user info, because it makes one address look like another.
  if (!https.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && url.username === '' && url.password === '';
}

/** Whether users may have a second factor. */
export const mfaModes = ['off', 'optional', 'required'] as const;
export type Mfa = (typeof mfaModes)[number];

/** Who may create workspaces beside the backend: nobody, users with a verified e-mail, or every user. */
export const workspaceCreations = ['backend', 'verified', 'anyone'] as const;
export type WorkspaceCreation = (typeof workspaceCreations)[number];
