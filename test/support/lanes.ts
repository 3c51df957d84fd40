import { globSync, readFileSync } from 'node:fs';

/**
 * `npm run proof` runs these folders and each file with the tag `proof`: properties of all endpoints; random and
 * maximum-size tests; and released artefacts, built and started as users do: the template, the bundles, the client
 * packages, the code in documents, `npm start` and the commands.
 */
const proofs = /^test\/(?:attack|bin|contract|faults|fuzz|races|rolling)\//;

/**
 * How the files of a lane share workers; starting a process and a service takes longer than most files. `shared`: files
 * share the service, each with its own project. `faulty`: the same, with an engine that can fail. `tables`: files share
 * an engine that can fail, each with its own table. `pure`: files need neither. `alone`: each file has its own process,
 * because it leaves state there or depends on a clean one. Stubs and spies are no reason: see leave-nothing.ts.
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
  // A service or an engine with other settings.
  if (/start(?:Faulty)?World|startFaultyEngine/.test(text)) return 'alone';
  return text.includes('openFaultyTable') ? 'tables' : 'pure';
}

/**
 * Whether only files and tests with the tag `engine` run, which depend on the engine's behaviour: so it is on Amazon's
 * DynamoDB Local, which is slow. On dynoxide everything runs.
 */
export const engineOnly = process.env['DYNAMODB_ENGINE'] === 'dynamodb-local';
/** Whether the functions run from their bundles. Tests cannot spy on modules there: a test imports another copy. */
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

/** Browser tests run separately, by `npm run test:browser`: two cores are too slow for both. */
const inBrowser = ({ file }: Source) => file.startsWith('test/browser/');
const onSharedStage = ({ text, tagged }: Source) =>
  /start(?:Hosted|Journey)Stage\(/.test(text) && !tagged.has('alone');

const found = globSync('test/**/*.test.ts')
  .map(read)
  .filter((source) => !engineOnly || isAboutEngine(source));
const files = found
  .filter((source) => !inBrowser(source))
  .map((source) => {
    // On the second engine only the tag counts.
    const proves = !engineOnly && (proofs.test(source.file) || source.tagged.has('proof'));
    const sharing = sharingOf(source);
    // Files of `npm run proof` start their own engines, proxies and servers, which leave environment variables behind.
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
