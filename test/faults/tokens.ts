import { type Answered, type Call } from './fault.ts';

const TableName = 'tokens-of-transactions';
const maxItems = 100;

type Send = (body: unknown) => Promise<Answered>;

/**
 * Makes idempotency tokens of transactions durable, as in DynamoDB, which recognises a retry for ten minutes despite
 * machine failures; the engine keeps tokens only in memory. Each transaction also writes its token into a separate
 * table, so the token exists exactly if the transaction was applied, even if the engine was killed during it.
 */
export class DurableTokens {
  private made = false;

  /** Creates the table of tokens. */
  async create(send: (text: string) => Promise<Answered>): Promise<void> {
    if (this.made) return;
    this.made = true;
    await send(
      JSON.stringify({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      }),
    );
  }

  /**
   * The engine's response to a transaction with a token; undefined for other calls, or if the transaction has no room
   * for one more item.
   */
  transact({ operation }: Call, body: unknown, send: Send): Promise<Answered> | undefined {
    if (operation !== 'TransactWriteItems') return undefined;
    const { ClientRequestToken: token, TransactItems: items } = body as {
      ClientRequestToken?: string;
      TransactItems: unknown[];
    };
    if (token === undefined || items.length >= maxItems) return undefined;
    const condition = {
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'NONE',
    };
    const mark = { Put: { TableName, Item: { pk: { S: token } }, ...condition } };
    return send({ ...(body as object), TransactItems: [...items, mark] }).then(withoutMark);
  }
}

/** The response without the added token item. */
function withoutMark(answered: Answered): Answered {
  if (answered.status === 200) return answered;
  const { CancellationReasons: reasons, ...rest } = JSON.parse(answered.text) as {
    CancellationReasons?: { Code?: string }[];
  };
  if (!reasons) return answered;
  if (reasons.at(-1)?.Code === 'ConditionalCheckFailed') return { status: 200, text: '{}' };
  const text = JSON.stringify({ ...rest, CancellationReasons: reasons.slice(0, -1) });
  return { ...answered, text };
}
