import { existsSync, readFileSync, statSync } from 'node:fs';
import { BulkheadError } from '@bulkhead/protocol';
import { describe, expect, it } from 'vitest';
import { readElfInterpreter } from './elf-interpreter.ts';
import { locateLauncher } from './locate-launcher.ts';
import { listedLibraries, nodeRuntimeFiles } from './node-runtime-files.ts';
import { packageRoot } from './testing/box-fixture.ts';

describe('nodeRuntimeFiles', () => {
  it('names the binary and the files it loads, and no folder', async () => {
    const files = await nodeRuntimeFiles(process.execPath);
    expect(files[0]).toBe(process.execPath);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(existsSync(file) && statSync(file).isFile(), file).toBe(true);
  });

  it('names everything that is mapped into a running Node', async () => {
    const loaded = new Set(
      readFileSync('/proc/self/maps', 'utf8').match(/\/\S+\/lib(c|m|stdc\+\+|gcc_s)\.so\S*/g),
    );
    const inodes = (await nodeRuntimeFiles(process.execPath)).map((file) => statSync(file).ino);
    expect(loaded.size).toBeGreaterThan(0);
    for (const file of loaded) expect(inodes, file).toContain(statSync(file).ino);
  });

  it('names a static program alone', async () => {
    const launcher = locateLauncher(packageRoot);
    expect(await nodeRuntimeFiles(launcher)).toEqual([launcher]);
  });

  it('refuses what is no program', async () => {
    await expect(nodeRuntimeFiles('/etc/passwd')).rejects.toThrow(BulkheadError);
  });
});

describe('listedLibraries', () => {
  it('reads paths with spaces and leaves out what has none', () => {
    const list =
      '\tlinux-vdso.so.1 (0x00007ffd)\n\tlibc.so.6 => /a b/libc.so.6 (0x00007f01)\n\t/lib64/ld.so (0x0)\n\tlibx => not found\n';
    expect(listedLibraries(list)).toEqual(['/a b/libc.so.6']);
  });
});

describe('readElfInterpreter', () => {
  const head = readFileSync(process.execPath).subarray(0, 64 * 1024);

  it.each([0, 3, 63, 100, 400])('refuses a file cut to %d bytes', (length) => {
    expect(() => readElfInterpreter(head.subarray(0, length), 'cut')).toThrow(BulkheadError);
  });

  it('refuses headers that point outside', () => {
    const wrong = Buffer.from(head);
    wrong.writeBigUInt64LE(2n ** 40n, 32);
    expect(() => readElfInterpreter(wrong, 'wrong')).toThrow(BulkheadError);
  });
});
