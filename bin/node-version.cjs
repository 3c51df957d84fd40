// Runs before every script that is TypeScript, on any Node: Node itself must be able to read what follows.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const comesAlong = process.platform === 'linux' && /^(?:x64|arm64)$/.test(process.arch);
  console.error(
    `Node 22.18 or newer is needed, but this is Node ${process.versions.node}. ` +
      (comesAlong ? 'Run npm ci: it brings Node 24.' : 'Install Node 22.18 or newer.'),
  );
  process.exit(1);
}
