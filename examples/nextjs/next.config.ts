import type { NextConfig } from 'next';

export default {
  // The package is a link into this repository while it is installed by `file:`.
  outputFileTracingRoot: `${import.meta.dirname}/../..`,
  turbopack: { root: `${import.meta.dirname}/../..` },
} satisfies NextConfig;
