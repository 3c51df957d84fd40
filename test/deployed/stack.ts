import { isDeepStrictEqual } from 'node:util';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  GetFunctionConfigurationCommand,
  InvokeCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { type Assembly, stackName } from './assembly.ts';
import { cdk, cdkWithoutApp } from './cdk.ts';
import { importDefinition } from './definition.ts';
import type { Template } from './unsupported.ts';

const cloudformation = new CloudFormationClient();
const lambda = new LambdaClient();

export const bootstrap = (folder: string): Promise<string> =>
  cdkWithoutApp(folder, 'bootstrap', 'aws://000000000000/us-east-1');

/** Deploys an assembly, and creates the routes that the emulator does not create itself. */
export async function deploy({ folder, definition }: Assembly): Promise<void> {
  const options = ['--require-approval', 'never', '--progress', 'events'];
  await cdk('deploy', '--app', folder, ...options, stackName);
  const [api = ''] = Object.values(await resourcesOf('AWS::ApiGatewayV2::Api'));
  await importDefinition(api, definition, await resourcesOf('AWS::IAM::Role'));
}

export const destroy = ({ folder }: Assembly): Promise<string> =>
  cdk('destroy', '--app', folder, '--force', stackName);

/** The outputs of the stack by their names. */
export async function readOutputs(): Promise<Record<string, string>> {
  const { Stacks = [] } = await cloudformation.send(
    new DescribeStacksCommand({ StackName: stackName }),
  );
  const outputs = Stacks[0]?.Outputs ?? [];
  return Object.fromEntries(
    outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
}

/** Whether CloudFormation has exactly this template. */
export async function holds(template: Template): Promise<boolean> {
  const { TemplateBody = '' } = await cloudformation.send(
    new GetTemplateCommand({ StackName: stackName, TemplateStage: 'Original' }),
  );
  return isDeepStrictEqual(JSON.parse(TemplateBody), template);
}

/** The physical id of every resource of a type, by its logical id. */
export async function resourcesOf(type: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const pages = paginateListStackResources({ client: cloudformation }, { StackName: stackName });
  for await (const { StackResourceSummaries = [] } of pages)
    for (const {
      ResourceType,
      LogicalResourceId = '',
      PhysicalResourceId = '',
    } of StackResourceSummaries)
      if (ResourceType === type) found[LogicalResourceId] = PhysicalResourceId;
  return found;
}

/** The hash of the code of every function, by its logical id. */
export async function codeHashes(): Promise<Record<string, string>> {
  const functions = Object.entries(await resourcesOf('AWS::Lambda::Function'));
  const hashes: [string, string][] = [];
  for (const [id, FunctionName] of functions) {
    const { CodeSha256 = '' } = await lambda.send(
      new GetFunctionConfigurationCommand({ FunctionName }),
    );
    hashes.push([id, CodeSha256]);
  }
  return Object.fromEntries(hashes);
}

/** The physical id of the only resource of a type whose logical id has this prefix. */
export async function resourceLike(type: string, prefix: string): Promise<string> {
  const fitting = Object.entries(await resourcesOf(type)).filter(([id]) => id.startsWith(prefix));
  if (!fitting[0] || fitting.length > 1)
    throw new Error(`The stack has ${fitting.length} ${type} like ${prefix}.`);
  return fitting[0][1];
}

/** Invokes a function and waits for its result. Throws its error. */
export async function invoke(FunctionName: string, input: object): Promise<void> {
  const Payload = Buffer.from(JSON.stringify(input));
  const answer = await lambda.send(new InvokeCommand({ FunctionName, Payload }));
  if (answer.FunctionError)
    throw new Error(`${FunctionName}: ${Buffer.from(answer.Payload ?? []).toString()}`);
}
