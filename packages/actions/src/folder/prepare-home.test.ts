import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareHome } from '@bulkhead/home/folder/prepare-home';
import { type HomeFiles, SHIPPED_POLICIES, systemHomeFiles } from '@bulkhead/home/testing';
import { type HomeLayout, homeLayout } from '@bulkhead/protocol';
import { shareOfNumbers } from '@bulkhead/testkit/sweep';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPolicy } from '../policy/read-policy.ts';

/** In memory if possible: the test waits for hundreds of flushes. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let top: string;
let layout: HomeLayout;
beforeEach(() => {
  top = mkdtempSync(join(place, 'bulkhead-home-'));
  layout = homeLayout(join(top, 'above/home'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

class PowerCut extends Error {}

/**
 * The real disk, until power is lost after a number of operations. `powerCut` then removes
 * unflushed data as a file system with delayed allocation does: the bytes of files are lost, but
 * names may stay.
 */
class CutFiles implements HomeFiles {
  operations = 0;
  readonly #limit: number;
  readonly #unflushed = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  makeFolder = (path: string): void => this.#count(() => systemHomeFiles.makeFolder(path));
  makePrivate = (path: string): void => this.#count(() => systemHomeFiles.makePrivate(path));
  remove = (path: string): void => this.#count(() => systemHomeFiles.remove(path));

  write = (path: string, text: string): void =>
    this.#count(() => {
      systemHomeFiles.write(path, text);
      this.#unflushed.add(path);
    });

  rename = (from: string, to: string): void =>
    this.#count(() => {
      systemHomeFiles.rename(from, to);
      for (const path of [...this.#unflushed].filter((one) => one === from || one.startsWith(`${from}/`))) {
        this.#unflushed.delete(path);
        this.#unflushed.add(to + path.slice(from.length));
      }
    });

  flush = (path: string): void =>
    this.#count(() => {
      systemHomeFiles.flush(path);
      this.#unflushed.delete(path);
    });

  powerCut(): void {
    for (const path of this.#unflushed) if (existsSync(path)) truncateSync(path);
  }

  #count(operation: () => void): void {
    if (this.operations >= this.#limit) throw new PowerCut();
    operation();
    this.operations += 1;
  }
}

function cutAfter(operations: number): CutFiles {
  const files = new CutFiles(operations);
  try {
    prepareHome(layout, { files });
  } catch {
    // The run ended there.
  }
  return files;
}

function expectWhole(): void {
  expect(readPolicy(layout, 'default').name).toBe('default');
  for (const [name, text] of Object.entries(SHIPPED_POLICIES))
    expect(readFileSync(join(layout.policies, name), 'utf8'), name).toBe(text);
  expect(readdirSync(layout.root).sort()).toEqual(['policies', 'profiles', 'state']);
  for (const folder of [layout.root, layout.state, layout.policies, layout.run])
    expect(statSync(folder).mode & 0o777, folder).toBe(0o700);
}

describe('a home that is made', () => {
  it('is finished by the next start, wherever the first one was killed or lost power [FT24]', () => {
    const all = cutAfter(Number.POSITIVE_INFINITY).operations;
    expect(all).toBeGreaterThan(35);
    for (const operations of [...shareOfNumbers(0, all - 1, 12), all - 1]) {
      for (const power of ['kept', 'lost']) {
        rmSync(join(top, 'above'), { recursive: true, force: true });
        const files = cutAfter(operations);
        if (power === 'lost') files.powerCut();
        expect(existsSync(layout.mark), `${operations}`).toBe(operations >= all - 1);
        expect(prepareHome(layout), `${operations} ${power}`).toEqual([]);
        expectWhole();
      }
    }
  });

  it('loses nothing of what a person put there before its first start', () => {
    mkdirSync(layout.policies, { recursive: true });
    writeFileSync(layout.config, 'policy: mine\n');
    writeFileSync(join(layout.policies, 'mine.yaml'), 'theirs');
    prepareHome(layout);
    expect(readdirSync(layout.policies)).toEqual(['mine.yaml']);
    expect(readFileSync(layout.config, 'utf8')).toBe('policy: mine\n');
  });

  it('never puts back a policy that a person emptied, edited or deleted, nor their folder [FT24]', () => {
    prepareHome(layout);
    const path = join(layout.policies, 'strict.yaml');
    rmSync(path);
    writeFileSync(join(layout.policies, 'default.yaml'), '');
    expect(prepareHome(layout)).toEqual([]);
    expect(existsSync(path)).toBe(false);
    expect(() => readPolicy(layout, 'default')).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: `the policy ${layout.policies}/default.yaml is empty`,
        fix: expect.stringContaining('bulkhead policy show default --preset'),
      }),
    );
    rmSync(layout.policies, { recursive: true });
    expect(() => prepareHome(layout)).toThrow(`the folder of policies ${layout.policies} is gone`);
    expect(existsSync(layout.policies)).toBe(false);
  });

  it('is not made where there was one before this restart', () => {
    expect(() => prepareHome(layout, { mustExist: true })).toThrow(
      expect.objectContaining({ code: 'not_available', message: expect.stringContaining('is gone') }),
    );
    expect(existsSync(join(top, 'above'))).toBe(false);
    prepareHome(layout);
    prepareHome(layout, { mustExist: true });
  });
});

describe('a home of an earlier version that lost power', () => {
  beforeEach(() => {
    prepareHome(layout);
    rmSync(layout.mark);
  });

  it('has its empty policies filled again, once, if they were not written since [FT24]', () => {
    const { birthtime } = statSync(layout.policies);
    for (const name of Object.keys(SHIPPED_POLICIES)) {
      truncateSync(join(layout.policies, name));
      utimesSync(join(layout.policies, name), birthtime, birthtime);
    }
    expect(prepareHome(layout)).toEqual(Object.keys(SHIPPED_POLICIES));
    expectWhole();
    expect(prepareHome(layout)).toEqual([]);
  });

  it('keeps an empty policy that a person wrote to, and names it with the fix [FT24]', () => {
    const path = join(layout.policies, 'default.yaml');
    truncateSync(path);
    const later = new Date(Date.now() + 60_000);
    utimesSync(path, later, later);
    expect(() => prepareHome(layout)).toThrow(
      expect.objectContaining({ message: `the policy ${path} is empty`, fix: expect.stringContaining(path) }),
    );
    expect(statSync(path).size).toBe(0);
    expect(existsSync(layout.mark)).toBe(false);
  });
});
