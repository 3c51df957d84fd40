import { channel } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { type Sending, sendings } from '../../shared/db/transport/http.ts';
import { running } from '../aws/lambda.ts';

const writes =
  /^DynamoDB_\d+\.(?:PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems)$/;

/**
 * Calls back after each call by which a function of this process has, or may have, changed the table: also one whose
 * response was lost.
 */
export function onTableWrite(listener: () => void): void {
  sendings.subscribe((message) => {
    if (running.getStore() === undefined) return;
    const { headers, ended } = message as Sending;
    if (writes.test(headers['x-amz-target'] ?? '')) void ended.then(listener, listener);
  });
  // By the SDK's own transport.
  channel('http.client.request.created').subscribe((message) => {
    if (running.getStore() === undefined) return;
    const { request } = message as { request: ClientRequest };
    if (writes.test(String(request.getHeader('x-amz-target')))) request.once('close', listener);
  });
}
