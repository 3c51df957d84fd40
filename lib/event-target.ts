import { Duration } from 'aws-cdk-lib';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';

/** A function as the target of a rule. An event that cannot be delivered for a day becomes a dead letter. */
export const eventTarget = (lambda: Lambda, deadLetterQueue: Queue): LambdaFunction =>
  new LambdaFunction(lambda, {
    deadLetterQueue,
    retryAttempts: 185,
    maxEventAge: Duration.hours(24),
  });
