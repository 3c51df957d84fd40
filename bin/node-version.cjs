// Before every TypeScript script, on any version of Node: Node itself must run TypeScript, and passwords are hashed with
// its built-in argon2. A command requires this file (`-r`) and takes the place of the shell (`exec`), which would keep the
// signals of npm to itself.
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
