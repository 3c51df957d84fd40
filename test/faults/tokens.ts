import { type Answered, type Call } from './fault.ts';

const TableName = 'tokens-of-transactions';
const mostItems = 100;

type Send = (body: unknown) => Promise<Answered>;

/**
 * Gives the tokens of transactions the life that they have in DynamoDB, where a repetition is recognised for ten
 * minutes whatever machine fails meanwhile; the engine keeps them in memory. Each transaction writes its token into a
 * table beside, so it is there exactly if the transaction took effect, even where the engine was killed in the middle
 * of it.
 */
export class DurableTokens {
  private made = false;

  /** Makes the table of the tokens, beside the first one of the service. */
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
   * The engine's answer to a transaction with a token; undefined where the call is none, or has no room for one more
   * item.
   */
  transact({ operation }: Call, body: unknown, send: Send): Promise<Answered> | undefined {
    if (operation !== 'TransactWriteItems') return undefined;
    const { ClientRequestToken: token, TransactItems: items } = body as {
      ClientRequestToken?: string;
      TransactItems: unknown[];
    };
    if (token === undefined || items.length >= mostItems) return undefined;
    const condition = {
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'NONE',
    };
    const mark = { Put: { TableName, Item: { pk: { S: token } }, ...condition } };
    return send({ ...(body as object), TransactItems: [...items, mark] }).then(withoutMark);
  }
}

/** What the transaction answers where it was the service's alone. */
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
