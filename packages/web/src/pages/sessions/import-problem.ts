/** Largest file that is sent, in bytes: what the door takes of it once it is written as JSON. */
const LARGEST = 16 * 1024 * 1024;

/** Why a file can't be imported here, and what to do instead; undefined if it may be. */
export function importProblem({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (/\.html?$/iu.test(name)) {
    return `${name} is a page to read. Export the session again, as JSON lines.`;
  }
  if (size <= LARGEST) return undefined;
  return `${name} has ${Math.ceil(size / 1_000_000)} MB, and the browser can send 16. On the engine's machine: bulkhead sessions import FILE`;
}
