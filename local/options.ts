import { parseArgs } from 'node:util';
import { projectId } from '../shared/model/fields.ts';
import { messageOf } from '../shared/model/message-of.ts';
import { defaultFolder } from './environment.ts';
import { StartFailure } from './failure.ts';

export const usage = `Usage: npm start -- [options]

  --port N       listen on port N (default 3000; 0: a free port)
  --memory       keep all data in memory; it is lost when the server stops
  --data FOLDER  keep the data in FOLDER (default .data)
  --project ID   create this project (repeatable; default demo)
  --json         print one line of JSON to stdout when the server is ready
  --bundles      serve the bundles that would be deployed instead of the sources
  --cors ORIGIN  allow web pages of ORIGIN, such as http://localhost:5173 (repeatable)
  --throttle     apply the request limits (429) of the deployed API
  --help         show this help`;

export type ServeOptions = {
  port: number;
  /** Undefined: all data in memory. */
  folder: string | undefined;
  projects: string[];
  json: boolean;
  bundles: boolean;
  /** Origins whose web pages may call the API. */
  cors: string[];
  throttle: boolean;
  help: boolean;
};

/** Reads the command line. Throws a `StartFailure` that describes the problem. */
export function readOptions(args: string[]): ServeOptions {
  const values = parse(args);
  if (values.memory && values.data !== undefined) {
    throw new StartFailure('Pass either --memory or --data, not both.');
  }
  const port = values.port ?? '3000';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new StartFailure(`--port must be a number from 0 to 65535, not '${port}'.`);
  }
  const projects = [...new Set(values.project ?? ['demo'])];
  for (const id of projects) {
    const { error } = projectId.safeParse(id);
    if (error) {
      const why = error.issues.map(({ message }) => message).join('; ');
      throw new StartFailure(`--project '${id}' is not a valid project id: ${why}.`);
    }
  }
  return {
    port: Number(port),
    folder: values.memory ? undefined : (values.data ?? defaultFolder),
    projects,
    json: values.json ?? false,
    bundles: values.bundles ?? false,
    cors: readOrigins(values.cors ?? []),
    throttle: values.throttle ?? false,
    help: values.help ?? false,
  };
}

function readOrigins(origins: string[]): string[] {
  for (const text of origins) {
    if (text !== '*' && URL.parse(text)?.origin !== text)
      throw new StartFailure(
        `--cors must be an origin such as http://localhost:5173, without a path, not '${text}'.`,
      );
  }
  return origins;
}

function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: 'string' },
        memory: { type: 'boolean' },
        data: { type: 'string' },
        project: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        bundles: { type: 'boolean' },
        cors: { type: 'string', multiple: true },
        throttle: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    // Cuts off the end of Node's message, which is advice for the author of the program.
    const [first] = messageOf(error).split(/\. |\n/);
    throw new StartFailure(`${first?.replace(/\.$/, '')}. See npm start -- --help.`);
  }
}
