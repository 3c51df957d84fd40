import { Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
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
import { eventTarget } from './event-target.ts';

/**
 * Receives bounces and complaints: SES publishes events of one configuration set on the account's default bus, the only
 * one it supports, and a rule invokes a function. It costs nothing while there is no feedback.
 */
export class MailFeedback extends Construct {
  /** Name of the configuration set with which every mail of this deployment is sent. */
  readonly configurationSet: string;
  private readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, deadLetters: Queue) {
    super(scope, id);
    this.deadLetters = deadLetters;
    const configurationSet = new ConfigurationSet(this, 'Mails', {
      // Each project has its own suppression list, which its backend can undo; the account's list would override that.
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

  /** ARN of the configuration set, for the policy of the function that sends with it. */
  get arn(): string {
    const resource = 'configuration-set';
    const resourceName = this.configurationSet;
    return Stack.of(this).formatArn({ service: 'ses', resource, resourceName });
  }

  /** Lets the rule invoke a function with each bounce and complaint; undeliverable events become dead letters. */
  invoke(lambda: Lambda): void {
    new Rule(this, 'Rule', {
      description:
        'Sends bounces and complaints of the identity and workspace service to the function that records them',
      eventPattern: eventPatternOf(this.configurationSet),
      targets: [eventTarget(lambda, this.deadLetters)],
    });
  }
}

function eventPatternOf(configurationSet: string) {
  const { source, 'detail-type': detailType, detail } = feedbackPattern(configurationSet);
  return { source, detailType, detail };
}
