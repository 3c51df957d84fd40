/** @module-tag proof */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { bundleFunctions } from '../../lib/bundle.ts';
import { functionNames } from '../../lib/functions.ts';
import type { FunctionName } from '../../shared/contract/functions.ts';
import { newFolder } from '../support/folder.ts';

/**
 * The work of importing a bundle: the files that Node loads and the schemas that zod creates; and the parameters of its
 * handler.
 */
type Import = { files: number; schemas: number; parameters: number };

const folder = newFolder();
let imports: Record<FunctionName, Import>;
beforeAll(async () => {
  await bundleFunctions(folder);
  // zod calls `postProcessor`, a hook of its own compiler, with every schema that it creates.
  const script = `
    import { registerHooks } from 'node:module';
    let files = 0;
    let schemas = 0;
    const postProcessor = ({ _zod }) => { if (_zod.traits.has('$ZodType')) schemas += 1; };
    globalThis.__zod_globalConfig = { postProcessor };
    registerHooks({
      load(url, context, next) {
        if (url.startsWith('file:')) files += 1;
        return next(url, context);
      },
    });
    const [folder, ...names] = process.argv.slice(1);
    const imports = {};
    for (const name of names) {
      files = schemas = 0;
      const { handler } = await import('file://' + folder + '/' + name + '/index.mjs');
      imports[name] = { files, schemas, parameters: handler.length };
    }
    console.log(JSON.stringify(imports));
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script, folder, ...functionNames],
    { env: {} },
  );
  imports = JSON.parse(stdout) as typeof imports;
});

const usual = { files: 7, schemas: 160 };

/** Exceptions in both directions: larger functions, and functions whose cold start is a goal. */
const agreed: { [F in FunctionName]?: Partial<Omit<Import, 'parameters'>> } = {
  'users.getMe': { files: 7, schemas: 104 },
  'members.add': { files: 7, schemas: 70 },
  'passwords.signIn': { files: 11, schemas: 141 },
  'sessions.create': { files: 7, schemas: 135 },
  // Use more of the contract, or libraries with separate chunks.
  'sessions.reauthenticate': { files: 8 },
  'passwords.signUp': { files: 9 },
  'passwords.forgot': { files: 9 },
  'passwords.set': { files: 8, schemas: 230 },
  'passwords.change': { files: 8 },
  'codes.start': { files: 9 },
  'codes.verify': { schemas: 220 },
  'links.start': { files: 9 },
  'links.signIn': { schemas: 222 },
  'passkeys.startRegistration': { files: 8 },
  'passkeys.delete': { files: 8 },
  'factors.startTotp': { files: 8 },
  'factors.deleteTotp': { files: 8 },
  'factors.renewRecoveryCodes': { files: 8 },
  'identities.link': { files: 8 },
  'identities.unlink': { files: 8 },
  'identities.getToken': { files: 10 },
  'identities.getTokenOfUser': { files: 10 },
  'providers.callback': { files: 9 },
  'providers.callbackByForm': { files: 9 },
  'emails.change': { files: 8 },
  'users.create': { schemas: 220 },
  'users.import': { files: 9, schemas: 261 },
  'users.update': { schemas: 231 },
  'users.delete': { files: 9 },
  'users.export': { schemas: 434 },
  'webhooks.redeliver': { files: 9 },
  'events.list': { schemas: 243 },
  'events.listOfWorkspace': { schemas: 250 },
  'oauth.authorize': { schemas: 190 },
  'oauth.authorizeByForm': { schemas: 180 },
  'oauth.token': { schemas: 190 },
  'oauth.userinfo': { schemas: 180 },
  'oauth.userinfoByPost': { schemas: 180 },
  'oauth.logout': { schemas: 190 },
  'oauth.logoutByForm': { schemas: 180 },
  'discovery.jwks': { schemas: 200 },
  'discovery.openidConfiguration': { schemas: 210 },
  'discovery.oauthAuthorizationServer': { schemas: 210 },
  'docs.asset': { files: 8 },
  'projects.admin': { schemas: 360 },
};

// A constant of contract or model that esbuild cannot remove, or a module shared by one more chunk, exceeds them.
test.each(functionNames)(
  '%s creates no more schemas and loads no more files than agreed',
  (name) => {
    const { files, schemas } = imports[name];
    const most = { ...usual, ...agreed[name] };
    expect(files).toBeGreaterThan(0);
    expect(files).toBeLessThanOrEqual(most.files);
    expect(schemas).toBeLessThanOrEqual(most.schemas);
  },
);

test('every bundle has a handler of at most two parameters', () => {
  expect(Object.keys(imports)).toStrictEqual([...functionNames]);
  // nodejs24.x rejects a handler with a callback parameter.
  for (const { parameters } of Object.values(imports)) expect(parameters).toBeLessThanOrEqual(2);
});

test('the counters count files and schemas', () => {
  expect(imports['users.getMe'].schemas).toBeGreaterThan(50);
  expect(imports['stream.sort'].files).toBeGreaterThan(1);
});
