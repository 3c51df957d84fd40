/** @module-tag source */
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { grants } from '../../lib/functions.ts';
import { invoke } from '../../local/aws/lambda.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import { accountParts, canBeOthers, powersOf } from '../support/account-powers.ts';
import { expectProblem } from '../support/expectations.ts';
import { goodPassword, type SignIn, signInProject } from '../support/sign-in.ts';
import { type Person, startWorld } from '../support/world.ts';

/** Possible damage by an attacker who runs code in one function, to an account whose ids are all known. */

const world = await startWorld();
const { dynamodb } = await import('#shared/db/client.ts');
const { hashPassword } = await import('#shared/identity/passwords/password-hash.ts');
const { keys } = await import('#shared/db/keys.ts');
const TableName = world.table.name;
const names = Object.keys(grants) as FunctionName[];
let home: SignIn;
let ada: Person;
let hash: string;
beforeAll(async () => {
  home = await signInProject(world);
  ada = await home.signUp('ada@example.com');
  hash = await hashPassword('a password of the attacker');
});

/** Runs commands sequentially as a function, and returns for each whether it was allowed. */
async function as(name: FunctionName, commands: object[]): Promise<boolean[]> {
  const results: boolean[] = [];
  const handler = async () => {
    for (const command of commands)
      results.push(
        await dynamodb.send(command as GetItemCommand).then(
          () => true,
          (error: Error) => {
            if (error.name !== 'AccessDeniedException') throw error;
            return false;
          },
        ),
      );
  };
  await invoke(name, handler, {}, 10_000);
  return results;
}

/** Every way to write an item. */
const writing = (item: { pk: string; sk: string }) => {
  const { pk, sk } = item;
  const [Item, Key] = [marshall(item), marshall({ pk, sk })];
  return [
    new PutItemCommand({ TableName, Item }),
    new UpdateItemCommand({ TableName, Key }),
    new DeleteItemCommand({ TableName, Key }),
    new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item } }] }),
    new TransactWriteItemsCommand({
      TransactItems: [{ Update: { TableName, Key, UpdateExpression: 'REMOVE stolen' } }],
    }),
    new TransactWriteItemsCommand({ TransactItems: [{ Delete: { TableName, Key } }] }),
    new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest: { Item } }] } }),
    new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key } }] } }),
  ];
};
const reading = ({ pk, sk }: { pk: string; sk: string }) => [
  new GetItemCommand({ TableName, Key: marshall({ pk, sk }) }),
  new QueryCommand({
    TableName,
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': 'pk' },
    ExpressionAttributeValues: marshall({ ':pk': pk }),
  }),
];

describe('a password chosen by the attacker', () => {
  test('cannot be written by a function that does not write users, and signs no user in', async () => {
    const password = { ...keys.password(ada.uid), uid: ada.uid, hash, changed_at: '2026' };
    const harmless = names.filter(
      (name) => powersOf(grants[name])['Passwords, sessions, profiles'].length === 0,
    );
    for (const name of harmless) {
      const done = await as(name, [...writing(password), ...reading(password)]);
      expect(done, name).not.toContain(true);
    }
    const attempt = { email: ada.email, password: 'a password of the attacker' };
    expectProblem(await home.post('/sessions/password', attempt), 'invalid_credentials');
    expect((await home.signIn(ada.email, goodPassword)).uid).toBe(ada.uid);
    expect(harmless).toEqual(
      expect.arrayContaining([
        ...names.filter((name) => name.startsWith('webhooks.')),
        ...['passwords.signUp', 'passwords.forgot', 'codes.start', 'links.start', 'events.list'],
      ]),
    );
  });
});

describe('a function cannot access a part of an account outside its grant', () => {
  const items = () => ({
    users: keys.session(ada.uid, 'a'),
    emails: keys.emailGuard(home.project_id, ada.email),
    identities: keys.identity(home.project_id, 'https://accounts.google.com', 'eve'),
    providerCodes: keys.providerCode('a'),
    codes: keys.challenge('a'),
    signInLinks: keys.signInLink('a'),
    tokens: keys.mailToken('a'),
    mails: keys.mail('a'),
    workspaces: keys.member('wid-1', ada.uid),
    keys: keys.publicKey('a'),
    projects: keys.project(home.project_id),
  });

  test('the items cover every partition that makes up an account', () => {
    expect(Object.keys(items()).sort()).toEqual(Object.values(accountParts).flat().sort());
  });

  test.each(names)('%s', async (name) => {
    for (const [partition, key] of Object.entries(items())) {
      const mine = (verb: 'get' | 'query' | 'put' | 'update' | 'delete' | 'batch') =>
        grants[name][verb]?.includes(partition as never) ?? false;
      const denied = [
        ...(mine('put') ? [] : [0, 3]),
        ...(mine('update') ? [] : [1, 4]),
        ...(mine('delete') ? [] : [2, 5]),
        ...(mine('batch') ? [] : [6, 7]),
      ].map((i) => writing(key)[i]!);
      const unread = reading(key).filter((_, i) => !mine(i === 0 ? 'get' : 'query'));
      expect(await as(name, [...denied, ...unread]), partition).not.toContain(true);
    }
  });
});

describe('by its grant', () => {
  const having = (fits: (name: FunctionName) => boolean) => names.filter(fits);

  test('a public function that does not sign users in cannot act as another user', () => {
    for (const name of having((each) =>
      /^(?:webhooks|events|docs|discovery|fallback)\./.test(each),
    ))
      expect(canBeOthers(grants[name]), name).toBe(false);
    expect(canBeOthers(grants['domains.prove'])).toBe(false);
  });

  test('webhooks, mail.send, sign-up, password reset, codes and links cannot write users', () => {
    const spared = having(
      (name) =>
        name.startsWith('webhooks.') ||
        [
          'mail.send',
          'passwords.signUp',
          'passwords.forgot',
          'codes.start',
          'links.start',
        ].includes(name),
    );
    for (const name of spared) {
      const { 'Passwords, sessions, profiles': users, ...rest } = powersOf(grants[name]);
      expect([...users, ...rest['E-mails'], ...rest.Identities, ...rest.Memberships], name).toEqual(
        name === 'mail.send' ? ['read', 'read', 'read'] : [],
      );
    }
  });

  test('only the functions for e-mails, identities, keys and memberships can write them', () => {
    const writers = (part: keyof typeof accountParts) =>
      having((name) => powersOf(grants[name])[part].includes('write'));
    expect(writers('Identities')).toEqual([
      ...['users.import', 'identities.signIn', 'identities.link'],
      // They identify the user who has signed in at a provider.
      ...['providers.callback', 'providers.callbackByForm', 'providers.signIn'],
    ]);
    expect(writers('E-mails')).toEqual([
      ...['passwords.set', 'codes.verify', 'links.signIn', 'emails.confirm', 'users.create'],
      ...['users.import', 'users.update', 'identities.signIn', 'providers.signIn'],
      'invitations.create',
    ]);
    expect(writers('Keys and secrets')).toEqual(['keys.rotate', 'projects.admin']);
    const elsewhere = writers('Memberships').filter(
      (name) =>
        !/^(?:workspaces|ownership|domains|members|invitations|join\w+|workspaceKeys|workspaceRoles)\./.test(
          name,
        ),
    );
    expect(elsewhere).toEqual(['users.delete', 'stream.consume']);
  });

  test('a function that only reads for users cannot write any part of an account', () => {
    const readers = having((name) => /\.(?:get|list|search|export)/.test(name));
    for (const name of readers.filter((each) => each !== 'users.get'))
      expect(Object.values(powersOf(grants[name])).flat(), name).not.toContain('write');
  });
});
