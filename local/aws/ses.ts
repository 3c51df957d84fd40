import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { type Failing, failures } from '../injected-failures.ts';
import { refusal, serveJson } from '../loopback.ts';
import { startDeliveries } from './deliveries.ts';
import { eventAfter, type MailEvent } from './ses-mailbox-simulator.ts';

/** A mail accepted by the mail service. */
export type Mail = {
  message_id: string;
  received_at: string;
  from: string;
  /** Several recipients are joined by a comma. */
  to: string;
  subject: string;
  text: string;
  html: string;
};

/**
 * A simulated failure of a call: an error of the service, no response at all, or a connection that breaks after the
 * mail was accepted, so that the sender cannot know.
 */
export type Fault = { status: number; code: string; message?: string } | 'hang' | 'lose';

export type Outbox = Failing<Fault> & {
  endpoint: string;
  /** The retained mails, newest first. */
  mails(): Mail[];
  /**
   * Invokes a target with feedback, up to three times on failure, as Lambda does. The addresses of SES's mailbox
   * simulator cause bounces and complaints: bounce@, ooto@, suppressionlist@ and complaint@simulator.amazonses.com.
   */
  subscribe(target: (event: MailEvent) => Promise<unknown>): void;
  /** Resolves when all feedback was processed or failed; with whether there was new feedback since the last call. */
  settled(): Promise<boolean>;
  close(): Promise<void>;
};

/** How many mails are retained. */
export const keptMails = 200;

const part = z.object({ Data: z.string() });
/** The subset of SendEmail that the service uses; anything else fails here, so that it is noticed. */
const request = z.strictObject({
  FromEmailAddress: z.string(),
  Destination: z.strictObject({ ToAddresses: z.array(z.string()).min(1) }),
  ReplyToAddresses: z.array(z.string()).optional(),
  ConfigurationSetName: z.string().optional(),
  EmailTags: z
    .array(
      z.strictObject({
        Name: z.string().regex(/^[\w-]{1,256}$/),
        Value: z.string().regex(/^[\w-]{1,256}$/),
      }),
    )
    .default([]),
  Content: z.strictObject({
    Simple: z.looseObject({
      Subject: part,
      Body: z.strictObject({ Text: part, Html: part }),
    }),
  }),
});

type Options = {
  /** Called with each mail. */
  onMail?: (mail: Mail) => void;
  onError?: (error: unknown) => void;
};

/** Serves SendEmail with the protocol of SES v2 on a free loopback port, and keeps sent mails in memory. */
export async function startOutbox({ onMail, onError }: Options = {}): Promise<Outbox> {
  const { subscribe, deliver, settled } = startDeliveries<MailEvent>(onError);
  const mails: Mail[] = [];
  const { failing, nextFault } = failures<Fault>();

  function answer(incoming: IncomingMessage, body: string) {
    if (incoming.method !== 'POST' || incoming.url !== '/v2/email/outbound-emails')
      return refusal(404, 'NotFoundException', `There is no ${incoming.url} here.`);
    const fault = nextFault();
    if (fault === 'hang') return fault;
    if (typeof fault === 'object')
      return refusal(fault.status, fault.code, fault.message ?? 'An injected fault.');
    const { data, error } = request.safeParse(JSON.parse(body));
    if (!data) return refusal(400, 'BadRequestException', z.prettifyError(error));
    const mail = toMail(data);
    mails.unshift(mail);
    mails.splice(keptMails);
    onMail?.(mail);
    const { ConfigurationSetName: configurationSet, EmailTags } = data;
    const tags = Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value]));
    const event =
      configurationSet === undefined ? undefined : eventAfter({ ...mail, configurationSet, tags });
    if (event) deliver(event);
    return fault === 'lose' ? fault : { status: 200, body: { MessageId: mail.message_id } };
  }

  const server = await serveJson('application/json', answer);
  return {
    endpoint: server.endpoint,
    mails: () => [...mails],
    ...failing,
    subscribe,
    settled,
    async close() {
      server.close();
      await settled();
    },
  };
}

function toMail({ FromEmailAddress, Destination, Content }: z.output<typeof request>): Mail {
  const { Subject, Body } = Content.Simple;
  return {
    message_id: randomUUID(),
    received_at: new Date().toISOString(),
    from: FromEmailAddress,
    to: Destination.ToAddresses.join(', '),
    subject: Subject.Data,
    text: Body.Text.Data,
    html: Body.Html.Data,
  };
}
