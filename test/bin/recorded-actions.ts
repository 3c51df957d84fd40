import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { Command } from '../../bin/flags.ts';
import { serve } from '../support/serve.ts';
import { describedStack, noStack } from './described-stack.ts';
import { accountAt, call, run } from './run.ts';

const stackName = 'identity-workspace-dev';

type Writes = { TransactItems: Record<string, unknown>[] };

/**
 * A stack whose table is that of the test file, and the IAM actions that commands have used on it so far. Call it at
 * the top of a file; it closes automatically.
 */
export async function recordActions() {
  const used = new Set<string>();
  const endpoint = await serve((request, response) => {
    void (async () => {
      const body = await text(request);
      const form = new URLSearchParams(body).get('Action');
      const operation = String(request.headers['x-amz-target'] ?? '').split('.')[1];
      for (const action of operation ? actionsOf(operation, body) : [`cloudformation:${form}`])
        used.add(action);
      if (!operation) {
        const found = new URLSearchParams(body).get('StackName') === stackName;
        return response
          .writeHead(found ? 200 : 400, { 'content-type': 'text/xml' })
          .end(
            found
              ? describedStack({ TableName: process.env['TABLE_NAME'] ?? '' })
              : noStack('typo'),
          );
      }
      const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers;
      const answer = await fetch(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', {
        method: 'POST',
        headers: headers as Record<string, string>,
        body,
      });
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? '',
      });
      return response.end(await answer.text());
    })();
  });
  return {
    used,
    /** Runs a command like an operator of the stack. */
    operate: (script: string, stack = stackName) =>
      run([script, '--stack', stack], { env: accountAt(endpoint) }),
  };
}

/** Expects the help of a command to list exactly the used permissions. */
export async function expectInHelp(main: Command, used: ReadonlySet<string>): Promise<void> {
  const { stdout } = await call(main, ['--help']);
  const [, list = ''] = /needs the permissions\s([^.]+)\./.exec(stdout) ?? [];
  let service = '';
  const named = [...list.matchAll(/(?:(\w+):)?([A-Z]\w+)/g)].map(([, own, action]) => {
    service = own ?? service;
    return `${service}:${action}`;
  });
  expect(named.sort()).toEqual([...used].sort());
}

/** The actions that IAM requires: a transaction has no action of its own. */
function actionsOf(operation: string, body: string): string[] {
  if (!operation.startsWith('Transact')) return [`dynamodb:${operation}`];
  const { TransactItems } = JSON.parse(body) as Writes;
  return TransactItems.flatMap(Object.keys).map((kind) =>
    kind === 'ConditionCheck' ? 'dynamodb:ConditionCheckItem' : `dynamodb:${kind}Item`,
  );
}
