import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { functionNames } from '../../lib/functions.ts';
import { synthesise, xpub } from '../lib/synthesise.ts';
import { blocksOf } from '../support/code-blocks.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const runbook = read('docs/operate/runbook.md');

const { resources } = synthesise({ walletXpub: xpub });

test('each alarm of the stack has its row, by its name, which leads to a section that explains it', () => {
  const rows = [...runbook.matchAll(/^\| `([\w.]+)` \| [^|]+ \| \[([^\]]+)\]\(#[\w-]+\) \|$/gm)];
  const sections = runbook.split(/^#+ /m);
  for (const [, name = '', title = ''] of rows) {
    const section = sections.find((each) => each.startsWith(`${title}\n`)) ?? '';
    expect(section, name).toContain('**Meaning');
    if (title !== name) expect(section, name).toContain(`\`${name}\``);
  }
  // The name of an alarm in a mail of AWS begins with the stack's and has this one, without dots.
  const ids = Object.keys(resources).filter(
    (id) => resources[id]?.Type === 'AWS::CloudWatch::Alarm',
  );
  expect(ids.map((id) => id.replace(/^Alarms|[0-9A-F]{8}$/g, '')).sort()).toEqual(
    rows.map(([, name = '']) => name.replaceAll('.', '')).sort(),
  );
});

test('each logical id is that of a resource of the stack', () => {
  const named = [...runbook.matchAll(/\b[A-Za-z]+[0-9A-F]{8}\b/g)].map(([id]) => id);
  expect(named.length).toBeGreaterThan(4);
  expect(Object.keys(resources)).toEqual(expect.arrayContaining(named));
});

/** The queries of CloudWatch Logs Insights. */
const queries = blocksOf(runbook).filter(({ text }) => /^(?:fields|filter) /.test(text));

test('the queries of the log ask for fields and operations that it has', () => {
  expect(queries.length).toBeGreaterThan(4);
  const line = /export type LogLine = \{(.*?)\n\};/s.exec(read('shared/http/log.ts'))?.[1] ?? '';
  const access = /const accessLog = JSON.stringify\(\{(.*?)\}\)/s.exec(read('lib/api.ts'))?.[1];
  const fields = [...`${line}${access}`.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name);
  expect(fields).toEqual(expect.arrayContaining(['cause', 'project_id', 'route']));
  for (const { text } of queries) {
    const quoted = [...text.matchAll(/"([^"]+)"/g)].map(([, each]) => each);
    expect(functionNames).toEqual(
      expect.arrayContaining(quoted.filter((each) => each?.includes('.'))),
    );
    const made = [...text.matchAll(/ as (\w+)/g)].map(([, name]) => name);
    const words = text
      .replaceAll(/"[^"]*"|\/[^/\n]*\/|@\w+/g, '')
      .replaceAll(/\b(?:count|count_distinct|sum|bin|ispresent)\(/g, '(')
      .match(/[a-z][\w.]*/g);
    const syntax = ['fields', 'filter', 'stats', 'sort', 'desc', 'by', 'as', 'in', 'and', 'like'];
    for (const word of words ?? [])
      if (!syntax.includes(word) && !made.includes(word) && word !== 'm')
        expect(fields, `${word} in ${text}`).toContain(word.split('.')[0]);
  }
});
