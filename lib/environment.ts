import { routes } from '../shared/contract/api.ts';
import type { FunctionName } from '../shared/contract/functions.ts';
import type { EnvironmentName } from '../shared/env.ts';
import { onPartitions } from './access.ts';
import { grants } from './grants.ts';

/** Functions without a route do not know the address of the API. */
const withoutAddress: readonly FunctionName[] = [
  'stream.sort',
  'stream.consume',
  'mail.send',
  'mail.recordFeedback',
  'keys.rotate',
  'projects.operate',
];
/** Functions by which a user is read, or signs in, for the first time: they derive wallet addresses. */
const deriveWallets: readonly FunctionName[] = [
  'users.create',
  'users.get',
  'sessions.create',
  'sessions.refresh',
  'passwords.set',
  'passwords.signIn',
  'codes.verify',
  'identities.signIn',
];

/** Those behind API Gateway, which are told where a request comes from. */
const endpoints = new Set<FunctionName>([...routes.map(({ name }) => name), 'fallback.answer']);

/** The variables that a function gets: those that it reads. */
export function environmentOf(name: FunctionName): EnvironmentName[] {
  const {
    indexes,
    signingSecret,
    mailSecret,
    webhookSecret,
    sendMail,
    stream,
    takes,
    publish,
    schedule,
    asynchronous,
  } = grants[name];
  return [
    ...(onPartitions(grants[name]).length > 0 || indexes ? (['TABLE_NAME'] as const) : []),
    // Every answer may be a problem, whose type is an address of ours.
    ...(withoutAddress.includes(name) ? [] : (['BASE_URL'] as const)),
    // The rotation is told which secret to rotate.
    ...(signingSecret === 'read' ? (['SIGNING_SECRET_ID'] as const) : []),
    ...(mailSecret ? (['MAIL_SECRET_ID'] as const) : []),
    ...(webhookSecret ? (['WEBHOOK_SECRET_ID'] as const) : []),
    ...(sendMail ? (['MAIL_SENDER', 'MAIL_CONFIGURATION_SET'] as const) : []),
    ...(stream || takes === 'changes' ? (['CHANGES_QUEUE_URL'] as const) : []),
    ...(stream || takes === 'mails' ? (['MAILS_QUEUE_URL'] as const) : []),
    ...(publish ? (['EVENT_BUS'] as const) : []),
    ...(schedule ? (['SCHEDULE_GROUP', 'SCHEDULE_ROLE_ARN', 'DEAD_LETTERS_ARN'] as const) : []),
    // The sender itself is told by every invocation who it is.
    ...(schedule && !asynchronous ? (['WEBHOOK_SENDER_ARN'] as const) : []),
    ...(deriveWallets.includes(name) ? (['WALLET_XPUB', 'WALLET_TYPE'] as const) : []),
    ...(endpoints.has(name) ? (['TRUSTED_PROXY_SHA256', 'TRUSTED_PROXY_ONLY'] as const) : []),
  ];
}
