/**
 * Says whether the project can be set up on this machine.
 *
 * @param {{ platform: string, arch: string, nodeVersion: string }} machine `process.platform`,
 *   `process.arch` and `process.versions.node`.
 * @returns {string | undefined} What is wrong and how to mend it; undefined when all is well.
 */
export function platformProblem({ platform, arch, nodeVersion }) {
  const major = Number.parseInt(nodeVersion, 10);
  if (platform === 'linux') {
    if (arch !== 'x64' && arch !== 'arm64' && major < 24) {
      return `Bulkhead brings its own Node.js for x64 and arm64 only. On ${arch} install Node.js 24 or newer and run this again.`;
    }
    if (major < 20)
      return `Bulkhead needs Node.js 20 or newer to set itself up; this is ${nodeVersion}. Install a newer one and run this again.`;
    return undefined;
  }
  if (platform === 'darwin') {
    if (major < 24)
      return `On macOS Bulkhead needs Node.js 24 or newer; this is ${nodeVersion}. Install a newer one and run this again.`;
    return undefined;
  }
  return `Bulkhead runs on Linux (and, with a weaker box, on macOS); this is ${platform}. On Windows use WSL 2.`;
}
