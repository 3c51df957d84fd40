import { bundleFunctions } from './bundle.ts';

/** Bundles every function into dist/ and prints the sizes. */
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`.padStart(10);
console.log(`${'function'.padEnd(30)}${'cold start'.padStart(10)}${'in all'.padStart(10)}`);
for (const [name, { coldStart, total }] of Object.entries(await bundleFunctions()))
  console.log(`${name.padEnd(30)}${kilobytes(coldStart)}${kilobytes(total)}`);
