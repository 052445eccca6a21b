/** True for `provider/model`: the form of a model's name, not that there is such a model. */
export function isModelName(text: string): boolean {
  return /^[^/\s]+\/\S+$/.test(text);
}
