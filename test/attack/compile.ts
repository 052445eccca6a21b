import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Built like the launcher: no library, so that a machine needs only a compiler and the kernel's
 * headers.
 */
const FLAGS = [
  '-std=gnu17',
  '-O1',
  '-Wall',
  '-Wextra',
  '-ffreestanding',
  '-fno-stack-protector',
  '-fno-pic',
  '-fno-asynchronous-unwind-tables',
  '-nostdlib',
  '-static',
  '-s',
];
const COMPILERS = ['cc', 'gcc', 'clang'];
const COMPILE_MILLISECONDS = 60_000;
const NATIVE = join(import.meta.dirname, 'native');

/** @returns the first C compiler on the path that answers, or undefined */
export async function findCompiler(): Promise<string | undefined> {
  for (const name of COMPILERS) {
    if (await run(name, ['--version']).catch(() => undefined)) return name;
  }
  return undefined;
}

async function sources(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.c')).map((name) => `${folder}/${name}`);
}

/**
 * The hostile program.
 * @param packageRoot absolute path of the package `sandbox`, whose launcher it shares code with
 * @throws Error with the compiler's output
 */
export async function compileAttack(compiler: string, packageRoot: string, output: string): Promise<void> {
  const launcher = `${packageRoot}/launcher`;
  const files = [...(await sources(NATIVE)), `${launcher}/start.c`, `${launcher}/text.c`];
  await run(compiler, [...FLAGS, '-I', packageRoot, '-o', output, ...files], {
    timeout: COMPILE_MILLISECONDS,
  });
}

/**
 * A launcher without one wall.
 * @param define the wall's name in `native/without.h`
 * @throws Error with the compiler's output
 */
export async function compileWithout(
  compiler: string,
  packageRoot: string,
  define: string,
  output: string,
): Promise<void> {
  const weakened = [`-DWITHOUT=${define}`, '-include', join(NATIVE, 'without.h'), '-I', packageRoot];
  const files = await sources(`${packageRoot}/launcher`);
  await run(compiler, [...FLAGS, ...weakened, '-o', output, ...files], { timeout: COMPILE_MILLISECONDS });
}
