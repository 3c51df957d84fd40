import { createHash } from 'node:crypto';
import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EndpointName } from '../shared/contract/functions.ts';

/** Lambda's maximum length of a function name. */
const maxLength = 64;

/**
 * The name of an endpoint's function in its account and region: `identity-workspace-dev-members-add`. It is explicit,
 * not generated, so that the API can name its functions without a reference: the functions already reference the API's
 * address. Jobs have generated names: no route calls them, and renaming a function replaces it, which would break
 * waiting schedules and a custom resource that cannot change its function.
 *
 * @param stackName such as `identity-workspace-dev`, which distinguishes the stages of an account.
 */
export function lambdaNameOf(stackName: string, name: EndpointName): string {
  const kebab = name.replace('.', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const whole = `${stackName}-${kebab}`;
  if (whole.length <= maxLength) return whole;
  // Stage names may be long. The digest distinguishes names with the same beginning.
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return `${whole.slice(0, maxLength - digest.length - 1)}-${digest}`;
}

/** The ARN of an endpoint's function, without a reference to it. */
export function lambdaArnOf(scope: Construct, name: EndpointName): string {
  const stack = Stack.of(scope);
  return stack.formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: lambdaNameOf(stack.stackName, name),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}
