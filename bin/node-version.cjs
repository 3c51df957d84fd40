// Runs before start and test, on any Node: what follows is TypeScript that Node itself must be able to read.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node 22.18 or newer is needed, but this is ${process.version}. Run npm ci again: it brings Node 24.`,
  );
  process.exit(1);
}
