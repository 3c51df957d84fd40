import { eventually } from './checks.ts';

type SentMail = { MessageId: string; To: string[]; Source: string; BodyText: string };

/** What SES was given to send. */
export class Mailbox {
  private readonly url: string;
  private readonly used = new Set<SentMail['MessageId']>();

  constructor(emulatorUrl: string) {
    this.url = `${emulatorUrl}/_ministack/ses/messages`;
  }

  /** The token in the link of the first mail to an address with one that was not asked for yet. */
  nextToken = (address: string): Promise<string> => this.next(address, /#token=([\w.-]+)/);

  /** The link of the first mail to an address with one that was not asked for yet. */
  nextLink = (address: string): Promise<string> =>
    this.next(address, /(http\S+#(?:token|join)=\S+)/);

  /** The code of six digits in the first mail to an address with one that was not asked for yet. */
  nextCode = (address: string): Promise<string> => this.next(address, /^(\d{6})$/m);

  /** What the group of a pattern finds in the first mail to an address that was not asked for yet. */
  nextText = (address: string, text: RegExp): Promise<string> => this.next(address, text);

  /** Leaves out what was sent until now, as to the same addresses in other projects. */
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

  /** The oldest first. */
  async all(): Promise<SentMail[]> {
    const response = await fetch(this.url);
    const { messages } = (await response.json()) as { messages: Record<string, SentMail[]> };
    return Object.values(messages).flat();
  }
}
