import { BulkheadError } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { locateLauncher } from './locate-launcher.ts';
import { packageRoot } from './testing/box-fixture.ts';

function refusal(root: string, platform: string, arch: string): BulkheadError {
  try {
    locateLauncher(root, { platform, arch });
  } catch (error) {
    if (error instanceof BulkheadError) return error;
  }
  throw new Error('not refused');
}

describe('locateLauncher', () => {
  it('finds a launcher for both supported machines', () => {
    for (const arch of ['x64', 'arm64']) {
      expect(locateLauncher(packageRoot, { platform: 'linux', arch })).toMatch(/^\/.*\/bulkhead-launcher$/);
    }
  });

  it.each([
    ['darwin', 'arm64'],
    ['win32', 'x64'],
    ['linux', 'ia32'],
  ])('says honestly that %s on %s has no sandbox [D5]', (platform, arch) => {
    const error = refusal(packageRoot, platform, arch);
    expect(error).toMatchObject({
      code: 'sandbox_unavailable',
      message: `There is no sandbox for ${platform}-${arch} yet`,
    });
    expect(error.fix).toMatch(/not supported yet/);
    if (platform === 'darwin') expect(error.fix).toContain('untested');
    if (platform === 'win32') expect(error.fix).toContain('wsl --install');
  });

  it('says what to do if the file is missing', () => {
    expect(refusal('/nowhere', 'linux', 'x64')).toMatchObject({
      code: 'sandbox_unavailable',
      fix: expect.stringContaining('build.sh'),
    });
  });
});
