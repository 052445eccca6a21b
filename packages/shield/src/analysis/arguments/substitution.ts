/** A command or a variable that is put in place of itself: by a shell, a template, or a client that reads files. */
const SUBSTITUTION =
  /\$\([^)\n]{1,200}\)?|`[^`\n]{1,200}`|\$\{[A-Za-z_][^}\n]{0,80}\}|\{\{[^}\n]{1,120}\}\}|<%=?[^%\n]{1,120}%>|%[A-Z_]{3,40}%|\$(?:env:)?[A-Z][A-Z0-9_]{2,60}/;

/** @returns the first, as it stands there */
export function substitutionIn(text: string): string | undefined {
  return SUBSTITUTION.exec(text)?.[0];
}
