/**
 * A command or variable that a shell, a template or a file-reading client replaces by its value.
 */
const SUBSTITUTION =
  /\$\([^)\n]{1,200}\)?|`[^`\n]{1,200}`|\$\{[A-Za-z_][^}\n]{0,80}\}|\{\{[^}\n]{1,120}\}\}|<%=?[^%\n]{1,120}%>|%[A-Z_]{3,40}%|\$(?:env:)?[A-Z][A-Z0-9_]{2,60}/;

/** @returns the first one, as written */
export function substitutionIn(text: string): string | undefined {
  return SUBSTITUTION.exec(text)?.[0];
}
