import { globSync, readFileSync } from 'node:fs';

/**
 * What `npm run proof` runs: these folders, and each file with the tag `proof`. That is what holds for all endpoints
 * alike; what is searched at random or is as large as it may be; and what is released, built and started as others do:
 * the template, the bundles, the packages of the client, the code that documents print, `npm start` and the commands.
 */
const proofs = /^test\/(?:attack|bin|contract|faults|fuzz|races|rolling)\//;

/**
 * How the files of a lane share workers. `shared`: they share the service, and each has a project of its own. `faulty`:
 * so they do, and its engine can fail. `tables`: they share an engine that can fail, where each has a table of its own.
 * `pure`: they need none of it. `alone`: each has a process to itself, where it leaves a trace or would meet one. Stubs
 * and spies leave none: see leave-nothing.ts. To start a process and a service costs more than most files do.
 */
const sharings = ['shared', 'faulty', 'tables', 'pure', 'alone'] as const;
type Sharing = (typeof sharings)[number];

type Source = { file: string; text: string; tagged: ReadonlySet<string> };

function read(file: string): Source {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(/^(?:\/\*\*| \*) @module-tag (\w+)/gm);
  return { file, text, tagged: new Set(Array.from(found, ([, tag = '']) => tag)) };
}

function sharingOf({ text, tagged }: Source): Sharing {
  if (tagged.has('alone')) return 'alone';
  if (text.includes('await startWorld();')) return 'shared';
  if (text.includes('await startFaultyWorld();')) return 'faulty';
  // A service or an engine with settings of its own.
  if (/start(?:Faulty)?World|startFaultyEngine/.test(text)) return 'alone';
  return text.includes('openFaultyTable') ? 'tables' : 'pure';
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
  { name: 'proof', description: 'A file of `npm run proof` outside its folders.' },
  { name: 'alone', description: 'Leaves a trace in its process or stage, or would meet one.' },
];
export const tagsFilter = [...(engineOnly ? ['engine'] : []), ...(bundled ? ['!source'] : [])];

const isAboutEngine = ({ text, tagged }: Source) =>
  tagged.has('engine') || text.includes("tags: 'engine'");

/** They drive a browser, which two cores do not have time for beside everything else: `npm run test:browser`. */
const inBrowser = ({ file }: Source) => file.startsWith('test/browser/');
const onSharedStage = ({ text, tagged }: Source) =>
  /start(?:Hosted|Journey)Stage\(/.test(text) && !tagged.has('alone');

const found = globSync('test/**/*.test.ts')
  .map(read)
  .filter((source) => !engineOnly || isAboutEngine(source));
const files = found
  .filter((source) => !inBrowser(source))
  .map((source) => {
    // On the second engine the tag alone decides.
    const proves = !engineOnly && (proofs.test(source.file) || source.tagged.has('proof'));
    const sharing = sharingOf(source);
    // Proofs start engines, proxies and servers of their own, with what those leave in the environment.
    const shares = sharing === 'shared' || sharing === 'faulty';
    return { file: source.file, proves, sharing: proves && !shares ? 'alone' : sharing };
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
  include: found
    .filter((source) => inBrowser(source) && onSharedStage(source) === (sharing === 'shared'))
    .map(({ file }) => file),
}));

/**
 * The lanes of `npm test`; those of `npm run proof`, whose names begin with `proof-`; and those of a browser,
 * `browser-`.
 */
export const lanes = [...withoutBrowser, ...withBrowser];
