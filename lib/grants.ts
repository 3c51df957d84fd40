import type { FunctionName } from '../shared/contract/functions.ts';
import type { IndexName } from '../shared/table/shape.ts';

/** The DynamoDB actions that IAM knows; a transaction is authorised item by item. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

/** What one function may do, and nothing else. */
export type Grant = {
  /** On the table itself. */
  table: readonly TableAction[];
  /** Query on these indexes; it does not imply Query on the table. */
  indexes?: readonly IndexName[];
  /** `read` for whoever signs; `rotate` for the rotation alone. */
  signingSecret?: 'read' | 'rotate';
  /** Reads the table's stream. */
  stream?: true;
};

// GetItem beside BatchGetItem: one key alone is read by GetItem, several together by BatchGetItem.
const project = ['GetItem'] as const;
const person = ['GetItem', 'BatchGetItem', 'Query'] as const; // Query: the public keys of the tokens.

/** The grants of every function. A missing one does not compile; an unused one fails a test. */
export const grants: Record<FunctionName, Grant> = {
  'sessions.create': { table: [...project, 'PutItem', 'UpdateItem'], signingSecret: 'read' },
  'sessions.refresh': { table: ['GetItem', 'Query', 'UpdateItem'], signingSecret: 'read' },
  'users.getMe': { table: person },
  'users.create': { table: [...project, 'PutItem', 'UpdateItem'], indexes: ['by-email'] },
  'users.get': { table: [...project, 'PutItem'] },
  'users.search': { table: [...project, 'BatchGetItem'] },
  'users.update': { table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] },
  'workspaces.create': { table: [...project, 'PutItem', 'ConditionCheckItem'] },
  'workspaces.list': { table: person, indexes: ['by-member'] },
  'workspaces.get': { table: person },
  'workspaces.update': { table: [...person, 'UpdateItem'] },
  'workspaces.delete': { table: [...person, 'UpdateItem'] },
  'workspaces.setAllowedDomains': { table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem'] },
  'workspaces.listJoined': { table: person, indexes: ['by-member'] },
  'workspaces.listInvited': { table: person, indexes: ['by-member', 'by-email'] },
  'members.join': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'members.add': {
    table: [...person, 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
  },
  'members.list': { table: person },
  'members.changeRole': { table: [...person, 'UpdateItem', 'ConditionCheckItem'] },
  'invitations.create': { table: [...person, 'PutItem', 'UpdateItem', 'ConditionCheckItem'] },
  'discovery.jwks': { table: ['Query'] },
  'discovery.openidConfiguration': { table: [] },
  'docs.openapi': { table: [] },
  'docs.page': { table: [] },
  'docs.asset': { table: [] },
  'fallback.answer': { table: [] },
  'stream.consume': {
    table: ['GetItem', 'Query', 'UpdateItem', 'BatchWriteItem'],
    indexes: ['by-member'],
    stream: true,
  },
  'keys.rotate': { table: ['Query', 'PutItem', 'UpdateItem'], signingSecret: 'rotate' },
  'projects.operate': { table: ['GetItem', 'PutItem', 'UpdateItem'], indexes: ['by-email'] },
};
