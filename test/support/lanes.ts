import { globSync, readFileSync } from 'node:fs';

/** What leaves a trace in the process, or would meet one. Stubs and spies leave none: see leave-nothing.ts. */
const traces = new RegExp(
  [
    // It sets the environment, or starts processes and services that read it.
    String.raw`(?:delete |assign\()process\.env|process\.env\[[^\]]+\] (?:\?\?)?=|\.\.\.process\.env|transport/place`,
    String.raw`support/server|local/(?:engine/engine|aws/permissions)|startProxy|startWorld\(\{`,
    // It replaces modules, or needs them as they are when they are loaded.
    String.raw`\bvi\.(?:mock|reset)|get-or-create`,
    // It changes the keys or secrets that the service keeps in memory, or counts how often it reads them.
    String.raw`keys\.publicKey\('k'\)|publicKeyReread \*|fromSource\('keys|secrets\.rotate`,
    // It takes the stream, the mails or the whole table for its own.
    String.raw`StreamEnabled|useStream|_local/mail|authorization-run|flatMap\(textsIn`,
  ].join('|'),
);

/**
 * What `npm run proof` runs. First what holds for all endpoints alike: the contract, budgets, grants, canaries;
 * attacks, faults, races, random input, every retry, large lists, long loads, killed servers and the simulation. Then
 * what is released, built and started as others do: the template, the bundles, the packages of the client, the code
 * that documents print, `npm start` and the commands as programs.
 */
const proofs = new RegExp(
  [
    String.raw`^test\/(?:attack|contract|faults|fuzz|races|rolling|budget|canary|grants|page-cost`,
    String.raw`local\/(?:stream-faults|background)|bench\/simulate\/scale|shared\/events\/record-interrupted`,
    String.raw`shared\/db\/transport\/(?:load|sign)`,
    String.raw`docs\/code-blocks|lib\/(?:bundle|cold-start|stack\.)|client\/(?:package|testing)|local\/serve`,
    String.raw`bin\/(?:console|project)\.)`,
  ].join('|'),
);

/**
 * How the files of a lane share workers. `shared`: they share the service, and each has a project of its own. `faulty`:
 * so they do, and its engine can fail. `tables`: they share an engine that can fail, where each has a table of its own.
 * `pure`: they need none of it. `alone`: each has a process to itself. To start a process and a service costs more than
 * most files do.
 */
const sharings = ['shared', 'faulty', 'tables', 'pure', 'alone'] as const;
type Sharing = (typeof sharings)[number];

/**
 * When it ends, its pages still wait for answers that were lost. They would go on without a window, which fails the
 * run.
 */
const leavesPages = 'test/client/react/providers.test.ts';

function sharingOf(file: string): Sharing {
  const source = readFileSync(file, 'utf8');
  if (traces.test(source) || file === leavesPages) return 'alone';
  if (source.includes('await startWorld();')) return 'shared';
  if (source.includes('await startFaultyWorld();')) return 'faulty';
  if (/start(?:Faulty)?World|startFaultyEngine/.test(source)) return 'alone';
  return source.includes('openFaultyTable') ? 'tables' : 'pure';
}

/**
 * Whether the run is about what the engine decides: files and tests with the tag `engine`. It is on Amazon's DynamoDB
 * Local, which is slow; on dynoxide everything runs.
 */
export const engineOnly = process.env['DYNAMODB_ENGINE'] === 'dynamodb-local';
/** Whether the functions run from their bundles, which no test can reach into: it would listen to another copy. */
const bundled = process.env['FUNCTIONS'] === 'bundles';

export const tags = [
  { name: 'engine', description: 'What the engine decides: CI runs it on both.' },
  { name: 'source', description: 'Listens to the modules of the functions, or alters them.' },
];
export const tagsFilter = [...(engineOnly ? ['engine'] : []), ...(bundled ? ['!source'] : [])];

const isAboutEngine = (file: string) =>
  /@module-tag engine|tags: 'engine'/.test(readFileSync(file, 'utf8'));

/** They drive a browser, which two cores do not have time for beside everything else: `npm run test:browser`. */
const inBrowser = (file: string) => file.startsWith('test/browser/');
/** Applications on other origins, and secrets that the service keeps for minutes: such a stage is one's own. */
const ownStage = /\[origin\]\)|setSecret|setCaptchaKeys/;
const onSharedStage = (file: string) => {
  const source = readFileSync(file, 'utf8');
  return /start(?:Hosted|Journey)Stage\(/.test(source) && !ownStage.test(source);
};

const found = globSync('test/**/*.test.ts').filter((file) => !engineOnly || isAboutEngine(file));
const tests = found.filter((file) => !inBrowser(file));
const files = tests.map((file) => {
  // On the second engine the tag alone decides.
  const proves = !engineOnly && proofs.test(file);
  const sharing = sharingOf(file);
  // Proofs start engines, proxies and servers of their own, with what those leave in the environment.
  const shares = sharing === 'shared' || sharing === 'faulty';
  return { file, proves, sharing: proves && !shares ? 'alone' : sharing };
});

const withoutBrowser = sharings.flatMap((sharing) =>
  [false, true].map((proves) => ({
    name: proves ? `proof-${sharing}` : sharing,
    sharing,
    include: files
      .filter((each) => each.sharing === sharing && each.proves === proves)
      .map(({ file }) => file),
  })),
);

const withBrowser = (['shared', 'alone'] as const).map((sharing) => ({
  name: `browser-${sharing}`,
  sharing,
  include: found.filter(
    (file) => inBrowser(file) && onSharedStage(file) === (sharing === 'shared'),
  ),
}));

/**
 * The lanes of `npm test`; those of `npm run proof`, whose names begin with `proof-`; and those of a browser,
 * `browser-`.
 */
export const lanes = [...withoutBrowser, ...withBrowser];
