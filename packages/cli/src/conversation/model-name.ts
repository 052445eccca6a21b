/** True for `provider/model`: checks the form of a name, not that the model exists. */
export function isModelName(text: string): boolean {
  return /^[^/\s]+\/\S+$/.test(text);
}
