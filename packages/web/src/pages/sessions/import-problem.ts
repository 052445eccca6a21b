/** Largest file to send, in bytes: the server's limit once the file is JSON. */
const LARGEST = 16 * 1024 * 1024;

/** Why a file can't be imported here, with an alternative; undefined if it can. */
export function importProblem({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (/\.html?$/iu.test(name)) {
    return `${name} is an HTML export. Export the session again as JSON Lines.`;
  }
  if (size <= LARGEST) return undefined;
  return `${name} has ${Math.ceil(size / 1_000_000)} MB, and the browser can send 16. On the engine's machine: bulkhead sessions import FILE`;
}
