import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionName, JobName } from '../shared/contract/functions.ts';
import type { Alarms } from './alarms.ts';
import type { Config } from './config.ts';
import type { Domain, Job, Source } from './domain.ts';
import { type FunctionProps, ServiceFunction } from './function.ts';
import { KeyRotation } from './secrets.ts';

/** The functions of one domain, with their shared log group, event sources and alarms. */
export class DomainFunctions extends Construct {
  readonly lambdas: ReadonlyMap<FunctionName, Lambda>;
  private readonly props: FunctionProps;

  constructor(
    scope: Construct,
    id: string,
    domain: Domain,
    { props, config, alarms }: { props: FunctionProps; config: Config; alarms: Alarms },
  ) {
    super(scope, id);
    this.props = props;
    const stack = Stack.of(this);
    // One for the domain; one per function would be one more resource for each endpoint. Each line names its function.
    const logGroupName = `/${stack.stackName}/${id}`;
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName,
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const jobs = Object.entries(domain.jobs) as [JobName, Job][];
    const limits = new Map<FunctionName, number | undefined>(
      jobs.map(([name, { limitedBy }]) => [name, limitedBy && config[limitedBy]]),
    );
    const names = [...Object.keys(domain.endpoints), ...Object.keys(domain.jobs)] as FunctionName[];
    this.lambdas = new Map(
      names.map((name) => {
        // Children of the stack, not of the domain: a function that moves to another domain stays the same resource
        // with the same name.
        const options = { logGroup, logGroupName, concurrency: limits.get(name) };
        return [name, new ServiceFunction(stack, name, props, options).lambda];
      }),
    );
    for (const [name, job] of jobs) {
      const lambda = this.lambdas.get(name);
      if (!lambda) continue;
      for (const source of job.sources) this.connect(name, lambda, source);
      for (const alarm of job.alarms ?? []) alarms.watchJob(alarm, lambda, this.queueOf(job));
    }
  }

  private connect(name: JobName, lambda: Lambda, source: Source): void {
    const { stream, bus, mailFeedback, schedules, secrets } = this.props;
    if (typeof source === 'object')
      return 'queue' in source
        ? stream.feedFromQueue(name, lambda, source)
        : stream.feedFromTable(lambda, source);
    switch (source) {
      case 'events':
        return bus.subscribe(lambda);
      case 'mail-feedback':
        return mailFeedback.invoke(lambda);
      case 'schedules':
        return schedules.invoke(lambda);
      case 'key-rotation':
        new KeyRotation(Stack.of(this), 'KeyRotation', { secret: secrets.signing, rotate: lambda });
    }
  }

  private queueOf({ sources }: Job) {
    const fed = sources.find((source) => typeof source === 'object' && 'queue' in source);
    return fed && this.props.stream.queues[fed.queue];
  }
}
