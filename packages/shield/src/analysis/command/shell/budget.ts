/** The limits of one analysis. A command beyond any of them is not judged, so not allowed. */
export interface BudgetLimits {
  /** Characters of the command as given. */
  readonly input: number;
  /** Simple commands that are walked; loops and functions count each time. */
  readonly commands: number;
  /** Layers of substitutions, functions, wrappers and inline code. */
  readonly depth: number;
  /** Characters of all expanded words. */
  readonly expanded: number;
}

/** Commands of people and models are far smaller; scripts of this size belong in files. */
export const DEFAULT_LIMITS: BudgetLimits = { input: 32_768, commands: 600, depth: 24, expanded: 65_536 };

/** Thrown when an analysis exceeds its budget; caught only where the analysis started. */
export class OverBudget extends Error {
  constructor(what: string) {
    super(`over the budget of the analysis: ${what}`);
  }
}

/** The rest of a budget. */
export interface Budget {
  /** @throws OverBudget */
  command(): void;
  /** @throws OverBudget */
  expand(characters: number): void;
  /**
   * Runs one layer deeper.
   *
   * @throws OverBudget
   */
  deeper<T>(inner: () => T): T;
}

/** A full budget. */
export function createBudget(limits: BudgetLimits): Budget {
  let commands = limits.commands;
  let expanded = limits.expanded;
  let depth = limits.depth;
  return {
    command() {
      commands -= 1;
      if (commands < 0) throw new OverBudget(`more than ${limits.commands} commands`);
    },
    expand(characters) {
      expanded -= characters;
      if (expanded < 0) throw new OverBudget(`words longer than ${limits.expanded} characters`);
    },
    deeper(inner) {
      if (depth === 0) throw new OverBudget(`more than ${limits.depth} layers`);
      depth -= 1;
      try {
        return inner();
      } finally {
        depth += 1;
      }
    },
  };
}
