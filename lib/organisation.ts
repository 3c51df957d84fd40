import { Aspects, type Stack } from 'aws-cdk-lib';
import { CfnGlobalTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnManagedPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import type { IConstruct } from 'constructs';
import type { Config } from './config.ts';

/**
 * What the operator's organisation asks of all resources of a kind, whichever part of the stack has them: the path of
 * its roles, and its own key. The key's policy allows its use through the services, as the policies of AWS's own keys
 * do, so no role has a right on it.
 */
export function followOrganisation(stack: Stack, { rolePath, kmsKeyArn }: Config): void {
  const visit = (node: IConstruct) => {
    if (node instanceof CfnRole || node instanceof CfnManagedPolicy) {
      if (rolePath !== '/') node.path = rolePath;
    } else if (kmsKeyArn === undefined) return;
    else if (node instanceof CfnSecret || node instanceof CfnLogGroup) node.kmsKeyId = kmsKeyArn;
    else if (node instanceof CfnTopic) node.kmsMasterKeyId = kmsKeyArn;
    // TableV2 takes a key only in a stack that names its region.
    else if (node instanceof CfnGlobalTable)
      node.addPropertyOverride('Replicas.0.SSESpecification.KMSMasterKeyId', kmsKeyArn);
  };
  Aspects.of(stack).add({ visit });
}
