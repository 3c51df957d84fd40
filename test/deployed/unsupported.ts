/**
 * Features that the emulator lacks. Everything else is deployed as synthesised. emulator.py adds evaluation of
 * `dynamodb:LeadingKeys`, cookies in function events, GET /logout for functions and random secrets; definition.ts
 * handles the API's definition.
 */
import { type Definition, withoutDefinition } from './definition.ts';

type Resource = { Type: string; Properties?: Record<string, unknown> };
export type Template = { Resources: Record<string, Resource> };

type Unsupported = {
  /** The missing feature, and its replacement. */
  reason: string;
  /** Whether a resource must be taken out of the copy of the template that is deployed. */
  matches(resource: Resource): boolean;
};

const unsupported: readonly Unsupported[] = [
  {
    reason:
      'It does not know AWS::SecretsManager::RotationSchedule, and its RotateSecret calls no function: the four steps of a rotation are invoked one by one (rotation.ts).',
    matches: ({ Type }) => Type === 'AWS::SecretsManager::RotationSchedule',
  },
  {
    reason:
      'It refuses alarms on metric math, and has no metrics of functions that would raise one: these alarms are not deployed.',
    matches: ({ Type, Properties }) =>
      Type === 'AWS::CloudWatch::Alarm' && Properties?.['Metrics'] !== undefined,
  },
  {
    reason:
      'It is called without TLS, and judges by that: the policies of the queues, which refuse such calls, are not deployed.',
    matches: ({ Type }) => Type === 'AWS::SQS::QueuePolicy',
  },
];

/** Settings that it accepts and ignores, for the reader of a successful run. */
export const notEmulated: readonly string[] = [
  'Policies of other roles than those of the functions, and who may assume a role.',
  'Throttling, reserved concurrency and the 29 seconds of API Gateway.',
  'The expiry of items (TTL), TransactionConflict, the delay of an index.',
  'sqs:DeleteMessageBatch, which IAM knows as sqs:DeleteMessage: it refuses the batch, and deletes the messages afterwards.',
  'Messages of a FIFO queue side by side: it works off one at a time, whatever their groups.',
  'A second attempt at part of a batch of the stream: it takes every batch as a whole.',
  'Access logs of API Gateway, traces of X-Ray, the encryption of queues and of the table.',
];

/** A resource that is not deployed, and why. */
export type Removed = { id: string; reason: string };

/** The template in a form that the emulator can deploy, the routes missing from it, and the other removed parts. */
export function withoutUnsupported(original: Template): {
  template: Template;
  definition: Definition;
  removed: Removed[];
} {
  const { template, definition } = withoutDefinition(original);
  const entries = Object.entries(template.Resources);
  const removed = entries.flatMap(([id, resource]) => {
    const why = unsupported.find(({ matches }) => matches(resource));
    return why ? [{ id, reason: why.reason }] : [];
  });
  const gone = new Set(removed.map(({ id }) => id));
  const Resources = Object.fromEntries(entries.filter(([id]) => !gone.has(id)));
  return { template: { ...template, Resources }, definition, removed };
}
