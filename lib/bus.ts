import { Duration } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionName } from '../shared/contract/functions.ts';
import { eventSource } from '../shared/events.ts';
import { subscribers } from './subscribers.ts';

/**
 * The bus that carries every event: to our own functions, and to whatever rules the operator adds. It costs by the
 * event and nothing while there is none.
 */
export class Bus extends Construct {
  readonly bus: EventBus;
  private readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, deadLetters: Queue) {
    super(scope, id);
    this.deadLetters = deadLetters;
    this.bus = new EventBus(this, 'Bus', {
      description: 'Events of the identity and workspace service',
    });
  }

  /** Lets the bus invoke each function that lib/subscribers.ts names; what it cannot deliver is a dead letter. */
  subscribe(lambdaOf: (name: FunctionName) => Lambda): void {
    const names: readonly FunctionName[] = subscribers;
    if (names.length === 0) return;
    new Rule(this, 'Subscribers', {
      eventBus: this.bus,
      description: 'Every event, to the functions that follow them',
      eventPattern: { source: [eventSource] },
      targets: names.map(
        (name) =>
          new LambdaFunction(lambdaOf(name), {
            deadLetterQueue: this.deadLetters,
            retryAttempts: 185,
            maxEventAge: Duration.hours(24),
          }),
      ),
    });
  }
}
