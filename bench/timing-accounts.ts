import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { hashPassword } from '../shared/auth/password.ts';
import { newSecretId } from '../shared/ids.ts';
import { type Rate, rates } from '../shared/limits.ts';
import { newPassword } from '../shared/table/passwords.ts';
import { keys } from '../shared/table/shape.ts';
import type { Server } from './child.ts';
import { exchange } from './load.ts';

/** E-mails of one form, of which somebody has the one half, with a password, and nobody the other. */
export type Accounts = { known: string[]; unknown: string[] };

const table = { TableName: 'bench' };
const project = 'bench';
/** The driver's own. */
const address = '127.0.0.1';

/** Makes as many accounts, through the service; their password is put into the table, since one hash does for all. */
export async function makeAccounts(
  { url, ready: { project_id, secret } }: Server,
  count: number,
): Promise<Accounts> {
  const basic = `Basic ${Buffer.from(`${project_id}:${secret}`).toString('base64')}`;
  const emails = () =>
    Array.from({ length: count }, () => `person-${newSecretId()}${newSecretId()}@example.com`);
  const accounts = { known: emails(), unknown: emails() };
  const now = new Date();
  const hash = await hashPassword('the right password of some length');
  const client = new DynamoDBClient({});
  const make = async (email: string) => {
    const body = { email, email_verified: true, display_name: 'A Person' };
    const call = { method: 'POST', path: '/users', authorization: basic, body };
    const { uid } = (await exchange(url, call)) as { uid: string };
    const Item = marshall(newPassword(uid, hash, now));
    await client.send(new PutItemCommand({ ...table, Item }));
  };
  for (let i = 0; i < count; i += 8) await Promise.all(accounts.known.slice(i, i + 8).map(make));
  client.destroy();
  return accounts;
}

/** Lets this address ask as often as it likes, now and in the next window: the count begins far below zero. */
export async function liftSource(): Promise<void> {
  const client = new DynamoDBClient({});
  for (const rate of ['failuresFromOne', 'mailsFromOne'] as const satisfies Rate[]) {
    const { seconds } = rates[rate];
    const window = Math.floor(Date.now() / 1_000 / seconds);
    for (const each of [window, window + 1]) {
      const key = keys.rate(rate, `${project} ${address}`, each);
      const Item = marshall({ ...key, count: -1_000_000, expires_at: (each + 2) * seconds });
      await client.send(new PutItemCommand({ ...table, Item }));
    }
  }
  client.destroy();
}
