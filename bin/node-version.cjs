// Runs before every script that is TypeScript, on any Node: Node itself must be able to read what follows, and
// passwords are hashed by its own argon2.
// oxlint-disable-next-line typescript/no-require-imports -- what an old Node reads is CommonJS
const { engines } = require('../package.json');

const least = engines.node.replace('>=', '');
const [major, minor] = process.versions.node.split('.').map(Number);
const [leastMajor, leastMinor] = least.split('.').map(Number);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  const comesAlong = process.platform === 'linux' && /^(?:x64|arm64)$/.test(process.arch);
  console.error(
    `Node ${least} or newer is needed, but this is Node ${process.versions.node}. ` +
      (comesAlong ? 'Run npm ci: it brings Node 24.' : `Install Node ${least} or newer.`),
  );
  process.exit(1);
}
