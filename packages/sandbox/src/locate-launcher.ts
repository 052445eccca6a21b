import { accessSync, constants } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';

/** What a launcher is built for: `process.platform` and `process.arch`. */
export interface LauncherTarget {
  readonly platform: string;
  readonly arch: string;
}

const SUPPORTED = ['linux-x64', 'linux-arm64'];

/**
 * Path of the prebuilt launcher.
 * @param packageRoot absolute path of this package, or of a folder that holds its `prebuilt`
 * @throws BulkheadError `sandbox_unavailable`
 */
export function locateLauncher(packageRoot: string, target: LauncherTarget = process): string {
  const name = `${target.platform}-${target.arch}`;
  if (!SUPPORTED.includes(name)) {
    throw new BulkheadError('sandbox_unavailable', `There is no sandbox for ${name} yet`, {
      fix: `Boxes exist for Linux on x64 and arm64 only; macOS and Windows are not supported yet. Run Bulkhead in a Linux virtual machine`,
      details: { platform: target.platform, arch: target.arch },
    });
  }
  const path = `${packageRoot}/prebuilt/${name}/bulkhead-launcher`;
  try {
    accessSync(path, constants.X_OK);
  } catch (cause) {
    throw new BulkheadError('sandbox_unavailable', `The launcher is missing or not executable: ${path}`, {
      fix: 'Install the package again, or build the launcher with launcher/build.sh',
      cause,
      details: { path },
    });
  }
  return path;
}
