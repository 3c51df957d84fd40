import { Duration } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { eventSource } from '../shared/model/events.ts';

/**
 * The bus that carries every event: to our own functions, and to the rules that the operator adds. It costs by the
 * event, and nothing while there is none.
 */
export class Bus extends Construct {
  readonly bus: EventBus;
  private readonly deadLetters: Queue;
  private readonly rule: Rule;

  constructor(scope: Construct, id: string, deadLetters: Queue) {
    super(scope, id);
    this.deadLetters = deadLetters;
    this.bus = new EventBus(this, 'Bus', {
      description: 'Events of the identity and workspace service',
    });
    this.rule = new Rule(this, 'Subscribers', {
      eventBus: this.bus,
      description: 'Every event, to the functions that follow them',
      eventPattern: { source: [eventSource] },
    });
  }

  /** Invokes a function with every event; what cannot be delivered is a dead letter. */
  subscribe(lambda: Lambda): void {
    this.rule.addTarget(
      new LambdaFunction(lambda, {
        deadLetterQueue: this.deadLetters,
        retryAttempts: 185,
        maxEventAge: Duration.hours(24),
      }),
    );
  }
}
