import { makeApp } from '../lib/app.ts';
import { bundleFunctions } from '../lib/bundle.ts';
import { ConfigError } from '../lib/config.ts';

try {
  await bundleFunctions('dist');
  makeApp('dist').synth();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
