/** The object that `json` stands for; undefined if it stands for anything else. */
export function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The texts of a list; an empty list if it is not a list of texts. */
export function textList(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const texts = value.filter((text) => typeof text === 'string');
  return texts.length === value.length ? texts : [];
}
