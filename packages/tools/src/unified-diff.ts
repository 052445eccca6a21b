/** Size limit of a shown change; the change itself is not cut. */
const MAX_DIFF_BYTES = 20_000;
const MAX_DIFFED_BYTES = 1024 * 1024;
const MAX_EDIT_LENGTH = 5_000;

/**
 * Unified diff of two texts, for a person. The library is loaded on first use: most workers never
 * need it.
 * @param before undefined for a new file
 */
export async function unifiedDiff(
  shown: string,
  before: Buffer | 'too big' | undefined,
  after: Buffer,
): Promise<string> {
  if (before === 'too big' || (before?.length ?? 0) + after.length > MAX_DIFFED_BYTES)
    return `[${shown}: too big for a diff]`;
  if (before?.includes(0) === true || after.includes(0)) return `[${shown}: binary, no diff]`;
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const diff = createTwoFilesPatch(
    before === undefined ? '/dev/null' : `a/${shown}`,
    `b/${shown}`,
    before?.toString('utf8') ?? '',
    after.toString('utf8'),
    undefined,
    undefined,
    { context: 3, maxEditLength: MAX_EDIT_LENGTH, headerOptions: FILE_HEADERS_ONLY },
  );
  return diff === undefined ? `[${shown}: too many changes for a diff]` : capped(diff);
}

function capped(diff: string): string {
  if (diff.length <= MAX_DIFF_BYTES) return diff;
  const end = diff.lastIndexOf('\n', MAX_DIFF_BYTES);
  return `${diff.slice(0, end > 0 ? end : MAX_DIFF_BYTES)}\n[the rest of the diff is not shown]`;
}
