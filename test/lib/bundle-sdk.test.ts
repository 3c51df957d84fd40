/** @module-tag proof */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { usedExceptions } from '../../lib/bundle-sdk.ts';

const importOfTable = /import (?:type )?\{([^}]*)\} from '@aws-sdk\/client-dynamodb'/g;

test('the exceptions that the code imports are those that a bundle includes', () => {
  const sources = globSync('{shared,functions}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const imported = sources.flatMap((source) =>
    Array.from(source.matchAll(importOfTable), ([, names = '']) => names.match(/\w+Exception\b/g)),
  );
  expect(new Set(imported.flatMap((names) => names ?? []))).toEqual(new Set(usedExceptions));
});
