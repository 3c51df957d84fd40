/** A policy in IAM's format with complete ARNs, as far as the template determines them. */
export type Policy = { name: string; document: unknown };

type Resource = { Type: string; Properties: Record<string, unknown> };
export type Template = { Resources: Record<string, Resource> };

const pseudo: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  'AWS::AccountId': '123456789012',
  'AWS::StackName': 'identity-workspace-dev',
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The result of `Fn::GetAtt` for an ARN, by resource type. */
const arns: Record<string, string> = {
  'AWS::ApiGatewayV2::Api': 'arn:aws:apigateway:us-east-1::/apis/ID',
  'AWS::DynamoDB::GlobalTable': 'arn:aws:dynamodb:us-east-1:123456789012:table/ID',
  'AWS::Events::EventBus': 'arn:aws:events:us-east-1:123456789012:event-bus/ID',
  'AWS::Events::Rule': 'arn:aws:events:us-east-1:123456789012:rule/ID',
  'AWS::IAM::Role': 'arn:aws:iam::123456789012:role/ID',
  'AWS::Lambda::Function': 'arn:aws:lambda:us-east-1:123456789012:function:ID',
  'AWS::Logs::LogGroup': 'arn:aws:logs:us-east-1:123456789012:log-group:ID:*',
  'AWS::Scheduler::ScheduleGroup': 'arn:aws:scheduler:us-east-1:123456789012:schedule-group/ID',
  'AWS::SecretsManager::Secret': 'arn:aws:secretsmanager:us-east-1:123456789012:secret:ID',
  'AWS::SNS::Topic': 'arn:aws:sns:us-east-1:123456789012:ID',
  'AWS::SQS::Queue': 'arn:aws:sqs:us-east-1:123456789012:ID',
};

/**
 * Every policy of a template, with references replaced by their values. Throws for a reference that it cannot resolve.
 */
export function policiesOf({ Resources }: Template): Policy[] {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const [[key, given]] = Object.entries(value) as [[string, unknown]];
    if (key === 'Ref') return refer(String(given));
    if (key === 'Fn::GetAtt') return attribute(...(given as [string, string]));
    if (key === 'Fn::Join') return join(...(given as [string, unknown[]]));
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolve(part)]));
  };
  const join = (separator: string, parts: unknown[]) => parts.map(resolve).join(separator);
  const arnOf = (id: string): string => {
    const arn = arns[Resources[id]?.Type ?? ''];
    if (arn === undefined) throw new Error(`No ARN is known for ${Resources[id]?.Type} (${id}).`);
    return arn.replace('ID', id);
  };
  // The Ref of a topic or a secret is its ARN; that of other resources is a name.
  const refer = (id: string): string => {
    const type = Resources[id]?.Type;
    const isArn = type === 'AWS::SNS::Topic' || type === 'AWS::SecretsManager::Secret';
    return pseudo[id] ?? (isArn ? arnOf(id) : id);
  };
  const attribute = (id: string, name: string): string =>
    name === 'StreamArn' ? `${arnOf(id)}/stream/LABEL` : arnOf(id);
  return Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
    if (Type === 'AWS::IAM::Role')
      return ((Properties['Policies'] ?? []) as { PolicyDocument: unknown }[]).map(
        ({ PolicyDocument }, i) => ({ name: `${id}-${i}`, document: resolve(PolicyDocument) }),
      );
    return Type === 'AWS::IAM::Policy' || Type === 'AWS::IAM::ManagedPolicy'
      ? [{ name: id, document: resolve(Properties['PolicyDocument']) }]
      : [];
  });
}
