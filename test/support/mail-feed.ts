import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Handler, invoke } from '../../local/aws/lambda.ts';
import { fromSource } from '../../local/load.ts';
import { keys } from '../../shared/db/keys.ts';
import { queued } from './queued.ts';
import type { SignIn } from './sign-in.ts';
import { failedOf, streamRecord } from './stream-record.ts';
import type { World } from './world.ts';

type Item = Record<string, unknown>;

/** A new e-mail address. */
export const newAddress = (): string => `reader-${randomUUID().slice(0, 13)}@example.com`;

/** A stream record of a change of an item. */
export const record = (item: Item, number: number, eventName = 'INSERT') => ({
  ...streamRecord({ after: item }, number),
  eventName,
});

/** Invokes the function that sends mail, and finds the mails that it sent. */
export async function mailFeed(world: World) {
  const handler = await fromSource('mail.send');
  world.permissions.useStream('mail.send');
  /** The mail items when inserted, as in the stream records. */
  const inserted = new Map<string, Item>();

  /** Passes records to the function and returns those that it reported as failed. */
  async function feed(Records: object[], time = 60_000, by: Handler = handler): Promise<string[]> {
    return failedOf(await invoke('mail.send', by, queued(Records), time));
  }

  const mailsTo = (email: string) => world.mails().filter(({ to }) => to === email);

  return {
    handler,
    feed,
    /** Passes the insertion of these mails to the function. */
    deliver: (mailIds: string[], time?: number) =>
      feed(
        mailIds.map((mail_id, i) => record(inserted.get(mail_id) ?? {}, i)),
        time,
      ),
    mailsTo,
    itemOf: (mail_id: string): Promise<Item | undefined> => world.table.get(keys.mail(mail_id)),
    /** Requests a mail and leaves it in the table, unsent. */
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
