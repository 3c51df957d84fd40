import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { eventSource } from '../shared/model/events.ts';
import { eventTarget } from './event-target.ts';

/**
 * The event bus: every event goes to the service's own functions and to rules that the operator adds. It costs only per
 * event.
 */
export class Bus extends Construct {
  readonly eventBus: EventBus;
  private readonly deadLetters: Queue;
  private readonly rule: Rule;

  constructor(scope: Construct, id: string, deadLetters: Queue) {
    super(scope, id);
    this.deadLetters = deadLetters;
    this.eventBus = new EventBus(this, 'Bus', {
      description: 'Events of the identity and workspace service',
    });
    this.rule = new Rule(this, 'Subscribers', {
      eventBus: this.eventBus,
      description: 'Sends every event to the functions that process it',
      eventPattern: { source: [eventSource] },
    });
  }

  /** Invokes a function with every event; events that cannot be delivered become dead letters. */
  subscribe(lambda: Lambda): void {
    this.rule.addTarget(eventTarget(lambda, this.deadLetters));
  }
}
