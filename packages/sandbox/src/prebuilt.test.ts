import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { packageRoot } from './testing/box-fixture.ts';

const COMPILERS = { x64: 'x86_64-linux-gnu-gcc', arm64: 'aarch64-linux-gnu-gcc' };

interface BuildRecord {
  readonly compilers: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, string>>;
  readonly binaries: Readonly<Record<string, string>>;
}

const record: BuildRecord = JSON.parse(readFileSync(`${packageRoot}/prebuilt/BUILD.json`, 'utf8'));
const sum = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('prebuilt launchers', () => {
  it('were built from the sources that lie here: after an edit run launcher/build.sh', () => {
    const names = readdirSync(`${packageRoot}/launcher`).sort();
    expect(Object.keys(record.sources).sort()).toEqual(names);
    for (const name of names) expect(sum(`${packageRoot}/launcher/${name}`), name).toBe(record.sources[name]);
  });

  it.each(['linux-x64', 'linux-arm64'])('%s is the recorded file', (name) => {
    expect(sum(`${packageRoot}/prebuilt/${name}/bulkhead-launcher`)).toBe(record.binaries[name]);
  });

  for (const [arch, compiler] of Object.entries(COMPILERS)) {
    it(`${arch} is built again byte by byte with the recorded compiler`, (context) => {
      const version =
        spawnSync(compiler, ['--version'], { encoding: 'utf8' }).stdout?.split('\n')[0] ?? 'none';
      if (version !== record.compilers[arch]) {
        return context.skip(`needs ${record.compilers[arch]}, here is ${version}`);
      }
      const folder = mkdtempSync(`${tmpdir()}/bulkhead-build-`);
      try {
        const script = `${packageRoot}/launcher/build.sh`;
        expect(spawnSync('sh', [script, folder, arch], { encoding: 'utf8' })).toMatchObject({
          status: 0,
          stderr: '',
        });
        expect(sum(`${folder}/bulkhead-launcher`)).toBe(record.binaries[`linux-${arch}`]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
