import { type InspectFolderResponse, TrustState } from '@bulkhead/protocol/client';
import type { Output } from '../output/output.ts';

/** Enough to distinguish two files by eye; comparisons use the whole digest. */
const SHOWN_HASH = 16;

/** The word for programs. An unknown status of a newer engine means untrusted. */
export function stateName(state: TrustState): 'trusted' | 'changed' | 'untrusted' {
  if (state === TrustState.TRUSTED) return 'trusted';
  return state === TrustState.CHANGED ? 'changed' : 'untrusted';
}

/** The facts for a decision: changes first, then every file that would become active. */
export function showInspection(inspection: InspectFolderResponse, output: Output): void {
  const { folder, files, changes, digest } = inspection;
  if (changes.length > 0) {
    output.line(`${output.safeLine(folder)} was trusted and has changed since:`);
    for (const { path, what } of changes) output.line(`  ${what.padEnd(8)} ${output.safeLine(path)}`);
  }
  output.line(
    `Bulkhead would use these files of ${output.safeLine(folder)} as your own instructions, programs and rules:`,
  );
  const width = Math.max(...files.map(({ size }) => String(size).length));
  for (const { path, size, sha256 } of files) {
    output.line(
      `  ${sha256.slice(0, SHOWN_HASH)}  ${String(size).padStart(width)} bytes  ${output.safeLine(path)}`,
    );
  }
  output.line(`digest ${digest}`);
}

/** The same for programs. */
export function inspectionAsJson({ folder, state, files, changes, digest }: InspectFolderResponse) {
  return {
    folder,
    state: stateName(state),
    digest,
    files: files.map(({ path, size, sha256 }) => ({ path, size: Number(size), sha256 })),
    changes: changes.map(({ path, what }) => ({ path, what })),
  };
}
