import { join } from 'node:path';

// The functions are loaded by the first test that calls them, and Stryker would try a mutant of a constant with that
// test alone: what is loaded before all tests, it tries with all of them.
const { MUTATED } = process.env;
if (MUTATED) await import(join(import.meta.dirname, '../..', MUTATED));
