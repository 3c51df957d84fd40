import * as z from 'zod';
import { assertDeployable } from '../shared/identity/wallet/wallet.ts';
import { hostName } from '../shared/model/host-name.ts';
import { throttle } from '../shared/model/throttle.ts';

const origin = z
  .string()
  .refine(
    (text) => text === '*' || (/^https?:\/\//.test(text) && URL.parse(text)?.origin === text),
    'must be "*" or an origin such as https://app.example.com, without a path or a trailing slash',
  );

/** Retention periods, in days, that CloudWatch Logs supports. */
const retentionDays = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653];

/** A stack has at most 500 resources: each domain takes two, and the endpoints of later versions need room too. */
export const maxPagesDomains = 40;

const host = z.string().regex(hostName, 'must be a host name such as id.example.com');
/** In the region of the stack. */
const certificate = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]+$/,
    'must be the ARN of an ACM certificate',
  );

/** The settings of a stage, as config/README.md describes them. */
export const settings = z.strictObject({
  /** Protects stack and table from deletion. It would also block the cleanup of a failed first deployment. */
  deletionProtection: z.boolean(
    'must be true or false: false until the first deployment has succeeded, then true',
  ),
  /**
   * The id of the table's construct. After a restore another one brings the restored table into the stack; any other
   * change of it would deploy an empty table.
   */
  tableId: z
    .string()
    .regex(/^Table\d{0,8}$/, 'must be "Table" and up to 8 digits, such as Table2')
    .default('Table'),
  /** BIP-32 extended public key from which wallet addresses of users are derived; without it they have none. */
  walletXpub: z
    .string()
    .refine(
      isXpub,
      'must be a BIP-32 extended public key (xpub...), never a private one: npm run wallet -- --xpub prints yours',
    )
    .optional(),
  /** Value of `wallet.type`. */
  walletType: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9, _ and -')
    .default('service'),
  /** Origins whose web pages may call the API; default none. */
  corsOrigins: z.array(origin).default([]),
  /** The API's own host name; needs `certificateArn`. */
  domainName: host.optional(),
  /** ACM certificate of `domainName`. */
  certificateArn: certificate.optional(),
  /** Further host names of the API, for projects whose hosted pages have a domain of their own. */
  pagesDomains: z
    .array(z.strictObject({ domainName: host, certificateArn: certificate }))
    .max(maxPagesDomains, `must have at most ${maxPagesDomains} domains`)
    .default([]),
  /** The operator's CloudFront in front of the API. Without it the client is the peer of the connection. */
  trustedProxy: z
    .strictObject({
      /**
       * SHA-256 of the secrets that it may send; the secrets themselves are not stored anywhere here. Two during a
       * replacement.
       */
      secretDigests: z
        .array(z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lower-case hex digits'))
        .min(1, 'must have at least one digest')
        .max(2, 'must have at most two digests'),
      /** Whether requests that bypass it are rejected. */
      only: z.boolean('must be true or false').default(false),
    })
    .optional(),
  /** E-mail address that alarms notify. */
  alarmEmail: z.email('must be an e-mail address').optional(),
  /** Sender of mails for projects without a sender of their own; must be a verified identity in SES. */
  mailSender: z.email('must be an e-mail address').optional(),
  /**
   * Maximum number of concurrent webhook deliveries, reserved from the account's concurrency. Without a limit,
   * receivers that do not respond could take all of it from the endpoints.
   */
  webhookConcurrency: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
  /** Requests per second to each route, and the burst, before API Gateway responds 429. */
  throttle: z
    .strictObject({
      rate: z.int('must be a whole number').min(1, 'must be at least 1'),
      burst: z.int('must be a whole number').min(1, 'must be at least 1'),
    })
    .default(throttle),
  /** Whether X-Ray traces the functions: one call per second of each, and 5 % of the others. */
  tracing: z.boolean('must be true or false').default(true),
  logRetentionDays: z
    .number('must be a number of days')
    .refine((days) => retentionDays.includes(days), `must be one of ${retentionDays.join(', ')}`)
    .default(30),
  /** Tags of the stack and of its resources; CloudFormation takes 50 for a stack. */
  tags: z
    .record(
      z.string(),
      z
        .string()
        .max(256, 'must have at most 256 characters')
        .regex(
          /^[\p{L}\p{N}\p{Z}_.:/=+@-]*$/u,
          'must have letters, digits, spaces and _.:/=+@- only',
        ),
    )
    .refine(
      (tags) => Object.keys(tags).every((name) => /^(?!aws:)[\w .:/=+@-]{1,128}$/i.test(name)),
      'must have names of 1 to 128 letters of ASCII, digits, spaces and _.:/=+@-, which do not begin with "aws:"',
    )
    // IAM compares names without regard to case.
    .refine(
      (tags) =>
        new Set(Object.keys(tags).map((name) => name.toLowerCase())).size ===
        Object.keys(tags).length,
      'must have names that differ in more than upper and lower case',
    )
    .refine((tags) => Object.keys(tags).length <= 50, 'must have at most 50 tags')
    .default({}),
  /** Managed policy that bounds the permissions of every role. */
  permissionsBoundaryArn: z
    .string()
    .regex(
      /^arn:aws[a-z-]*:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]+$/,
      'must be the ARN of a managed policy',
    )
    .optional(),
  /** IAM path of every role and policy. Another one replaces all of them. */
  rolePath: z
    .string()
    .max(512, 'must have at most 512 characters')
    .regex(/^\/(?:[\w+=,.@-]+\/)*$/, 'must begin and end with a slash, such as /identity/')
    .default('/'),
  /** Key that encrypts table, secrets, logs and the topic of the alarms, in the region of the stack. */
  kmsKeyArn: z
    .string()
    .regex(
      /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/(?:mrk-[0-9a-f]{32}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/,
      'must be the ARN of a KMS key, not of an alias',
    )
    .optional(),
  /** That of `cdk bootstrap --qualifier`. */
  bootstrapQualifier: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,10}$/, 'must be 1 to 10 letters, digits, _ and -')
    .optional(),
});

function isXpub(text: string): boolean {
  try {
    assertDeployable(text, true);
    return true;
  } catch {
    return false;
  }
}
