/** The single table, as created by the stack, the local server and the tests. */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. DynamoDB deletes late, so every reader also checks it. */
  timeToLive: 'expires_at',
  stream: 'NEW_AND_OLD_IMAGES',
  indexes: {
    'by-email': {
      partitionKey: 'by_email_pk',
      sortKey: 'by_email_sk',
      projection: 'ALL',
      attributes: [],
    },
    'by-member': {
      partitionKey: 'by_member_pk',
      sortKey: 'by_member_sk',
      projection: 'INCLUDE',
      attributes: ['role'],
    },
  },
} as const;

export type IndexName = keyof typeof tableSchema.indexes;
