import { type Sending, sendings } from '../shared/db/transport/http.ts';
import { running } from './lambda.ts';

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
}
