/** A value that others chose, such as a folder's name: line breaks in it would let it write lines of its own. */
export function oneLine(value: string): string {
  return value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
