import { randomUUID } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect } from 'vitest';
import { type Handler, invoke } from '../../local/aws/lambda.ts';
import { fromSource } from '../../local/load.ts';
import { keys } from '../../shared/db/keys.ts';
import { queued } from './queued.ts';
import type { SignIn } from './sign-in.ts';
import type { World } from './world.ts';

type Item = Record<string, unknown>;

/** An address that nobody has written to. */
export const newAddress = (): string => `reader-${randomUUID().slice(0, 13)}@example.com`;

/** A record of the stream by which it tells of a change of an item. */
export const record = (item: Item, number: number, eventName = 'INSERT') => ({
  eventName,
  dynamodb: { NewImage: marshall(item), SequenceNumber: `${number}` },
});

/** The function that sends mail, fed by hand, and what became of the mails. */
export async function mailFeed(world: World) {
  const handler = await fromSource('mail.send');
  world.permissions.useStream('mail.send');
  /** The mails as they were when they were new, which is what the stream brings. */
  const inserted = new Map<string, Item>();

  /** Feeds records to the function and says which of them it reported as failed. */
  async function feed(Records: object[], time = 60_000, by: Handler = handler): Promise<string[]> {
    const answer = await invoke('mail.send', by, queued(Records), time);
    const { batchItemFailures } = answer as { batchItemFailures: { itemIdentifier: string }[] };
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  }

  const mailsTo = (email: string) => world.mails().filter(({ to }) => to === email);

  return {
    handler,
    feed,
    /** Tells the function of new mails by their ids. */
    deliver: (mailIds: string[], time?: number) =>
      feed(
        mailIds.map((mail_id, i) => record(inserted.get(mail_id) ?? {}, i)),
        time,
      ),
    mailsTo,
    itemOf: (mail_id: string): Promise<Item | undefined> => world.table.get(keys.mail(mail_id)),
    /** Asks for a mail and leaves it in the table, unsent. */
    async ask(ours: SignIn, path = '/sign-up', email = newAddress()) {
      const { status } = await ours.post(path, {
        email,
        ...(path === '/links' && { challenge: 'x'.repeat(43) }),
      });
      expect(status).toBe(202);
      const items = await world.table.all();
      const item = items.find(({ sk, to }) => sk === 'MAIL' && to === email) ?? {};
      const mail_id = String(item['mail_id']);
      inserted.set(mail_id, item);
      return { email, mail_id, item };
    },
  };
}
