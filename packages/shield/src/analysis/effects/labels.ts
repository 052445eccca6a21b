/**
 * The known origins of a text, as a set of bits: they follow the text through pipes, variables,
 * files and substitutions.
 */
export type Labels = number;

/**
 * - `secret`: from a place that holds credentials; `environment`: from variables that may;
 * `private`: from a
 *   person's own data
 * - `accounts`: from the lists of this machine's accounts; `host`: other facts of this machine
 * - `file`: from any file; `program`: from a folder of programs; `store`: a whole database or
 * mailbox
 * - `downloaded`: from another machine; `decoded`: from an encoding; `opaque`: unknown program
 * output
 */
export const LABEL = {
  none: 0,
  secret: 1,
  environment: 2,
  private: 4,
  accounts: 8,
  host: 16,
  downloaded: 32,
  decoded: 64,
  opaque: 128,
  file: 256,
  program: 512,
  store: 1024,
} as const;

export type LabelName = keyof typeof LABEL;

export const LABEL_NAMES: readonly LabelName[] = [
  'none',
  'secret',
  'environment',
  'private',
  'accounts',
  'host',
  'downloaded',
  'decoded',
  'opaque',
  'file',
  'program',
  'store',
];

/** True if `labels` has at least one of `wanted`. */
export function hasLabel(labels: Labels, ...wanted: readonly LabelName[]): boolean {
  for (const name of wanted) if ((labels & LABEL[name]) !== 0) return true;
  return false;
}
