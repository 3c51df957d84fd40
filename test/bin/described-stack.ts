/**
 * CloudFormation's response to DescribeStacks for a stack with these outputs.
 *
 * @param more further elements of the stack
 */
export function describedStack(outputs: Record<string, string>, more = ''): string {
  const members = Object.entries(outputs).map(
    ([name, value]) =>
      `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>${more}<Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

/** The same for a stack that does not exist, with the status 400. */
export const noStack = (name: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;
