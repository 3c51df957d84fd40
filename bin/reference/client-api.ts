import * as z from 'zod';
import type { openapi } from '../../shared/contract/openapi/document.ts';
import { paged, pagedAtLeast } from '../../shared/model/fields.ts';
import { header, included, isForUsers } from './client-routes.ts';

/** The parts of a JSON Schema that decide a type. */
type Schema = {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  'x-extensible-enum'?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  description?: string;
};

type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: { in?: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
};

type Document = {
  components: Record<string, Record<string, unknown>> & { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
  webhooks: unknown;
};

const otherwiseOf = new Map(included.map(({ name, otherwise }) => [name, otherwise]));

/**
 * The types of the client: every operation as a method, and every schema of the OpenAPI document by its name, but not
 * those that only operations beside the client use.
 */
export function clientTypes(document: ReturnType<typeof openapi>): string {
  const names = new Set(included.map(({ name }) => name));
  const inClient = ({ operationId }: Operation) => names.has(operationId);
  const operations = Object.values((document as Document).paths)
    .flatMap((path) => Object.values(path))
    .filter(inClient);
  const schemas = schemasFor(document as Document, inClient).map(
    ([name, schema]) =>
      `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '', name.endsWith('Request'))};\n`,
  );
  const groups = Map.groupBy(operations, ({ operationId }) => operationId.split('.')[0] ?? '');
  const api = [...groups].map(([group, members]) => {
    const methods = members.map((each) => method(each));
    return `  ${group}: {\n${methods.join('')}  };\n`;
  });
  return [
    header,
    "import type { Call } from '../call.ts';\n",
    ...envelopes.map(
      ({ name, about, schema }) =>
        `${comment(about, '')}export type ${name}<T> = ${objectOf(schema, '', false)};\n`,
    ),
    ...schemas,
    `/** The operations that no page calls as its user: those of a project's backend, the refresh, and documents. */\nexport type NotForUsers = {\n${notForUsers()}};\n`,
    `/** Every operation of the service: \`client.members.add({ workspace_id, user_id, role })\`. */\nexport type Api = {\n${api.join('')}};\n`,
  ].join('\n');
}

const element = z.unknown().meta({ id: 'T' });
/** The objects around the results of lists, each a type of its own. */
const envelopes = [
  { name: 'Paged', about: 'A page of a list.', of: paged },
  {
    name: 'PagedAtLeast',
    about: 'A page of a list that is not counted to its end.',
    of: pagedAtLeast,
  },
].map(({ of, ...each }) => ({ ...each, schema: z.toJSONSchema(of(element)) as Schema }));

const envelopeOf = ({ properties = {} }: Schema) =>
  envelopes.find(
    ({ schema }) => Object.keys(schema.properties ?? {}).join() === Object.keys(properties).join(),
  );

/** The names of the operations that do not take an access token, unless anyone may call them, by group. */
function notForUsers(): string {
  const names = included.filter((route) => !isForUsers(route) || route.auth.includes('refresh'));
  const groups = Map.groupBy(names, ({ name }) => name.split('.')[0] ?? '');
  return [...groups]
    .map(([group, members]) => {
      const verbs = members.map(({ name }) => JSON.stringify(name.split('.')[1]));
      return `  ${group}: ${verbs.join(' | ')};\n`;
    })
    .join('');
}

/** The schemas of the document that the operations of the client need: not those that only others refer to. */
function schemasFor(document: Document, inClient: (operation: Operation) => boolean) {
  const { components, paths, webhooks } = document;
  const all = Object.values(paths).flatMap((path) => Object.values(path));
  const needed = referred(components, all.filter(inClient));
  const others = referred(components, [webhooks, all]);
  return Object.entries(components.schemas).filter(([name]) => {
    const reference = `schemas/${name}`;
    return needed.has(reference) || !others.has(reference);
  });
}

/** The components that a part of the document refers to, directly or by another: `schemas/User`. */
function referred(components: Document['components'], from: unknown): Set<string> {
  const found = new Set<string>();
  for (const pending = [from]; pending.length > 0; )
    for (const [, kind = '', name = ''] of JSON.stringify(pending.pop()).matchAll(reference)) {
      const component = components[kind]?.[name];
      if (component && !found.has(`${kind}/${name}`)) pending.push(component);
      found.add(`${kind}/${name}`);
    }
  return found;
}

const reference = /"#\/components\/(\w+)\/([\w-]+)"/g;

function method({ operationId, summary, description, ...operation }: Operation): string {
  const { parameters = [], requestBody, responses } = operation;
  const fields = parameters.filter((each) => each.in === 'path' || each.in === 'query');
  const parametersSchema: Schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.flatMap(({ name, required }) => (required ? [name] : [])),
  };
  const body = requestBody?.content['application/json']?.schema;
  const input = [
    ...(fields.length > 0 ? [typeOf(parametersSchema, '    ', true)] : []),
    ...(body ? [typeOf(body, '    ', true)] : []),
  ];
  // The other response is thrown as an error.
  const other = String(otherwiseOf.get(operationId)?.status);
  const answers = Object.entries(responses).filter(
    ([status]) => /^[23]/.test(status) && status !== other,
  );
  const outputs = answers.flatMap(([, { content = {} }]) =>
    Object.entries(content).map(([type, { schema }]) =>
      type.includes('json') && schema ? typeOf(schema, '    ', false) : 'string',
    ),
  );
  const output = [...new Set(outputs)].join(' | ') || 'string';
  const doc = comment([summary, description].filter(Boolean).join('\n\n'), '    ');
  const [, verb] = operationId.split('.');
  return `${doc}    ${verb}: Call<${input.join(' & ') || 'Record<string, never>'}, ${output}>;\n`;
}

/** `isInput`: an optional field may also be given as undefined, which is the same as leaving it out. */
function typeOf(schema: Schema, indent: string, isInput: boolean): string {
  const nested = (each: Schema) => typeOf(each, indent, isInput);
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const values = schema.enum ?? schema['x-extensible-enum'];
  if (values) return values.map((each) => JSON.stringify(each)).join(' | ');
  const { anyOf = schema.oneOf, allOf, ...rest } = schema;
  if (anyOf) return `(${[...new Set(anyOf.map(nested))].join(' | ')})`;
  if (allOf) {
    const parts = [rest, ...allOf].map(nested).filter((type) => type !== 'unknown');
    return parts.join(' & ') || 'unknown';
  }
  const envelope = envelopeOf(schema);
  if (envelope) return `${envelope.name}<${nested(schema.properties?.['result']?.items ?? {})}>`;
  if (schema.properties) return objectOf(schema, indent, isInput);
  if (Array.isArray(schema.type))
    return schema.type.map((type) => nested({ ...schema, type })).join(' | ');
  if (schema.type === 'integer') return 'number';
  if (schema.type === 'array') return schema.items ? arrayOf(nested(schema.items)) : 'unknown[]';
  if (schema.type !== 'object') return schema.type ?? 'unknown';
  const { additionalProperties: others } = schema;
  return `Record<string, ${typeof others === 'object' ? nested(others) : 'unknown'}>`;
}

const arrayOf = (type: string) => (/^\w+$/.test(type) ? `${type}[]` : `(${type})[]`);

function objectOf(
  { properties = {}, required = [], additionalProperties: others }: Schema,
  indent: string,
  isInput: boolean,
) {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
    const needed = required.includes(name);
    const type = `${typeOf(schema, inner, isInput)}${!needed && isInput ? ' | undefined' : ''}`;
    return `${comment(schema.description, inner)}${inner}${key}${needed ? '' : '?'}: ${type};\n`;
  });
  if (!isInput && typeof others === 'object') fields.push(`${inner}[other: string]: unknown;\n`);
  return `{\n${fields.join('')}${indent}}`;
}

function comment(text: string | undefined, indent: string): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}
