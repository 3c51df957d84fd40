import { eventually } from './checks.ts';

type SentMail = { MessageId: string; To: string[]; Source: string; BodyText: string };

/** The mails passed to SES. */
export class Mailbox {
  private readonly url: string;
  private readonly used = new Set<SentMail['MessageId']>();

  constructor(emulatorUrl: string) {
    this.url = `${emulatorUrl}/_ministack/ses/messages`;
  }

  /** The token in the link of the first unread mail to an address that has one. */
  nextToken = (address: string): Promise<string> => this.next(address, /#token=([\w.-]+)/);

  /** The link of the first unread mail to an address that has one. */
  nextLink = (address: string): Promise<string> =>
    this.next(address, /(http\S+#(?:token|join)=\S+)/);

  /** The six-digit code in the first unread mail to an address that has one. */
  nextCode = (address: string): Promise<string> => this.next(address, /^(\d{6})$/m);

  /** The match of a pattern's group in the first unread mail to an address. */
  nextText = (address: string, text: RegExp): Promise<string> => this.next(address, text);

  /** Skips all mails so far, such as those to the same addresses in other projects. */
  async skip(): Promise<void> {
    for (const { MessageId } of await this.all()) this.used.add(MessageId);
  }

  private next(address: string, pattern: RegExp): Promise<string> {
    return eventually(`mail to ${address} with ${pattern.source}`, async () => {
      for (const { MessageId, To, BodyText } of await this.all()) {
        if (!To.includes(address) || this.used.has(MessageId)) continue;
        const [, found] = pattern.exec(BodyText) ?? [];
        if (found === undefined) continue;
        this.used.add(MessageId);
        return found;
      }
      return undefined;
    });
  }

  /** Oldest first. */
  async all(): Promise<SentMail[]> {
    const response = await fetch(this.url);
    const { messages } = (await response.json()) as { messages: Record<string, SentMail[]> };
    return Object.values(messages).flat();
  }
}
