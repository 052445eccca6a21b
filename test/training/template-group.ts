/**
 * Templates that share an idea. A group is either learned from or held back, as a whole: a held-out
 * text has no related training text.
 */
export interface TemplateGroup {
  readonly name: string;
  /** True if the texts contain an instruction for the agent that reads them. */
  readonly instructs: boolean;
  readonly heldOut: boolean;
  /**
   * One text each; `{slot}` stands for a word of the vocabulary, `(a|b)` for one of its
   * alternatives.
   */
  readonly templates: readonly string[];
}

/** Templates, one per line. */
export function group(
  name: string,
  kind: { instructs: boolean; heldOut?: boolean },
  lines: string,
): TemplateGroup {
  const templates = lines.split('\n').map((line) => line.trim());
  return {
    name,
    instructs: kind.instructs,
    heldOut: kind.heldOut ?? false,
    templates: templates.filter((line) => line !== '').map((line) => line.replaceAll('\\n', '\n')),
  };
}
