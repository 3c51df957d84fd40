import { channel } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { running } from './lambda.ts';

const writes =
  /^DynamoDB_\d+\.(?:PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;

/**
 * Calls back after each call by which a function of this process has, or may have, changed the table: also one whose
 * response was lost.
 */
export function onTableWrite(listener: () => void): void {
  channel('http.client.request.created').subscribe((message) => {
    if (running.getStore() === undefined) return;
    const { request } = message as { request: ClientRequest };
    if (writes.test(String(request.getHeader('x-amz-target')))) request.once('close', listener);
  });
}
