import { Duration, Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import {
  ConfigurationSet,
  ConfigurationSetEventDestination,
  EmailSendingEvent,
  EventDestination,
} from 'aws-cdk-lib/aws-ses';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { feedbackPattern } from './domains/mail.ts';

/**
 * Brings bounces and complaints back: SES tells the account's default bus, the only one that it takes, of the mails of
 * one configuration set, and a rule hands them to a function. None of it costs while no mail comes back.
 */
export class MailFeedback extends Construct {
  /** Name of the set by which every mail of this deployment is sent. */
  readonly configurationSet: string;
  private readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, deadLetters: Queue) {
    super(scope, id);
    this.deadLetters = deadLetters;
    const configurationSet = new ConfigurationSet(this, 'Mails', {
      // Each project has a list of its own, which its back end can undo; that of the account would outlast its word.
      disableSuppressionList: true,
    });
    this.configurationSet = configurationSet.configurationSetName;
    const bus = EventBus.fromEventBusName(this, 'DefaultBus', 'default');
    new ConfigurationSetEventDestination(this, 'Destination', {
      configurationSet,
      destination: EventDestination.eventBus(bus),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
  }

  /** ARN of the set, for the policy of the function that sends by it. */
  get arn(): string {
    const resource = 'configuration-set';
    const resourceName = this.configurationSet;
    return Stack.of(this).formatArn({ service: 'ses', resource, resourceName });
  }

  /** Lets the rule invoke a function with each bounce and complaint; what it cannot deliver is a dead letter. */
  invoke(lambda: Lambda): void {
    new Rule(this, 'Rule', {
      description:
        'Mails of the identity and workspace service that came back, to the function that notes them',
      eventPattern: eventPatternOf(this.configurationSet),
      targets: [
        new LambdaFunction(lambda, {
          deadLetterQueue: this.deadLetters,
          retryAttempts: 185,
          maxEventAge: Duration.hours(24),
        }),
      ],
    });
  }
}

function eventPatternOf(configurationSet: string) {
  const { source, 'detail-type': detailType, detail } = feedbackPattern(configurationSet);
  return { source, detailType, detail };
}
