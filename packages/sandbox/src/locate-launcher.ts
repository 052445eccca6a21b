import { accessSync, constants } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';

/** The platforms of a launcher: `process.platform` and `process.arch`. */
export interface LauncherTarget {
  readonly platform: string;
  readonly arch: string;
}

const SUPPORTED = ['linux-x64', 'linux-arm64'];

/** The situation on other systems, and the advice. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  darwin:
    'macOS is not supported yet: the profiles for sandbox-exec are untested, so no process is started in them. Run Bulkhead in a Linux virtual machine.',
  win32:
    'Windows is not supported yet. Run `wsl --install`, then install and start Bulkhead inside: that is Linux.',
};

/**
 * Path of the prebuilt launcher.
 * @param packageRoot absolute path of this package, or of a folder that holds its `prebuilt`
 * @throws BulkheadError `sandbox_unavailable`
 */
export function locateLauncher(packageRoot: string, target: LauncherTarget = process): string {
  const name = `${target.platform}-${target.arch}`;
  if (!SUPPORTED.includes(name)) {
    throw new BulkheadError('sandbox_unavailable', `There is no sandbox for ${name} yet`, {
      fix:
        WAYS_OUT[target.platform] ??
        'Boxes exist for Linux on x64 and arm64 only; others are not supported yet.',
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
