import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type Call = (this: unknown, ...args: readonly unknown[]) => unknown;

/** Calls that flush a file, and those that add or remove its name. */
const FLUSHES = ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync'];
const NAMES = ['rename', 'renameSync', 'unlinkSync', 'rmSync', 'linkSync'];

/**
 * Records this process' disk operations through Node while `act` runs, in order: `flush PATH` once
 * it has succeeded, and `rename FROM TO`, `unlink PATH`, `rm PATH`, `link FROM TO`. Paths are the
 * system's at that time. Databases write without Node and are not recorded. Only one recording at a
 * time per process.
 */
export async function recordDisk(act: () => unknown): Promise<readonly string[]> {
  const deeds: string[] = [];
  const restore = [
    ...FLUSHES.map((name) => replace(fs, name, (call) => flushing(call, deeds))),
    ...NAMES.map((name) => replace(fs, name, (call) => naming(name, call, deeds))),
    replace(promises, 'rename', (call) => naming('rename', call, deeds)),
    await replaceInHandles(deeds),
  ];
  syncBuiltinESMExports();
  try {
    await act();
  } finally {
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  }
  return deeds;
}

/** @returns a function that restores the original */
function replace(module: object, name: string, wrap: (call: Call) => Call): () => void {
  const original: unknown = Reflect.get(module, name);
  if (typeof original !== 'function') throw new Error(`node:fs has no ${name}`);
  const call: Call = function (this: unknown, ...args) {
    return Reflect.apply(original, this, args);
  };
  Reflect.set(module, name, wrap(call));
  return () => void Reflect.set(module, name, original);
}

/**
 * The descriptor is the first argument; with a callback as the last one, the flush ends when that
 * is called.
 */
function flushing(call: Call, deeds: string[]): Call {
  return (...args) => {
    const path = pathOf(args[0]);
    const callback = args.at(-1);
    if (typeof callback !== 'function') {
      const result = call(...args);
      deeds.push(`flush ${path}`);
      return result;
    }
    const done = (error: unknown): void => {
      if (error === null) deeds.push(`flush ${path}`);
      callback(error);
    };
    return call(...args.slice(0, -1), done);
  };
}

function naming(name: string, call: Call, deeds: string[]): Call {
  return (...args) => {
    const paths = args.flatMap((arg) =>
      typeof arg === 'string' || Buffer.isBuffer(arg) ? resolved(arg.toString()) : [],
    );
    deeds.push([name.replace('Sync', ''), ...paths].join(' '));
    return call(...args);
  };
}

/** Handles of `node:fs/promises` share a prototype that is only reachable through an instance. */
async function replaceInHandles(deeds: string[]): Promise<() => void> {
  await using handle = await promises.open('/dev/null');
  const prototype: unknown = Object.getPrototypeOf(handle);
  if (typeof prototype !== 'object' || prototype === null) throw new Error('handles have no prototype');
  const undo = ['sync', 'datasync'].map((name) =>
    replace(prototype, name, (call) => {
      return async function (this: unknown) {
        const path = pathOf(typeof this === 'object' && this !== null && 'fd' in this ? this.fd : undefined);
        await call.call(this);
        deeds.push(`flush ${path}`);
      };
    }),
  );
  return () => {
    for (const each of undo) each();
  };
}

function pathOf(fd: unknown): string {
  return fs.readlinkSync(`/proc/self/fd/${String(fd)}`);
}

/** `/proc/self/fd/N/name` names an entry of an open folder. */
function resolved(path: string): string {
  const entry = /^(\/proc\/self\/fd\/\d+)\/(.*)$/.exec(path);
  return entry === null ? path : `${fs.readlinkSync(entry[1] ?? '')}/${entry[2]}`;
}
