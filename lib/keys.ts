import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

/**
 * The secret with the signing keys. Its first value is random text that no function takes for a key; the rotation
 * replaces it. It stays when the stack goes, like the table: without it every session of that table would end.
 */
export function makeSigningSecret(scope: Construct): Secret {
  return new Secret(scope, 'SigningSecret', {
    description: 'Signs access tokens and refresh tokens. Only the functions read it.',
    removalPolicy: RemovalPolicy.RETAIN,
  });
}

/**
 * Rotates the signing secret every 30 days, and once when it is made: the first deployment makes the first key.
 * Written without `addRotationSchedule`, which would allow the function more than lib/grants.ts does.
 */
export class KeyRotation extends Construct {
  constructor(scope: Construct, id: string, props: { secret: Secret; rotate: Lambda }) {
    super(scope, id);
    const permission = {
      principal: new ServicePrincipal('secretsmanager.amazonaws.com'),
      // Without it, Secrets Manager could be made to call this function for another account.
      sourceAccount: Aws.ACCOUNT_ID,
    };
    props.rotate.addPermission('Rotation', { ...permission, scope: this });
    const schedule = new CfnRotationSchedule(this, 'Schedule', {
      secretId: props.secret.secretArn,
      rotationLambdaArn: props.rotate.functionArn,
      rotationRules: { automaticallyAfterDays: 30 },
      rotateImmediatelyOnUpdate: true,
    });
    schedule.node.addDependency(this.node.findChild('Rotation'));
  }
}
