import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'config/*.md', 'examples/*/*.md'], { cwd: root });
const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** The anchors that a page's headings have on GitHub. */
function anchorsOf(page: string): Set<string> {
  const text = read(page).replaceAll(/^```[^]*?^```/gm, '');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test.each(pages)('every link of %s leads to a file and a heading that exist', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
  const broken = links.filter(([, path = '', anchor]) => {
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
