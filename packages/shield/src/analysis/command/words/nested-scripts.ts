import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';

/** Returns the scripts of all substitutions directly inside a node, at any position. */
export function nestedScripts(node: SyntaxNode): readonly ParsedScript[] {
  const scripts: ParsedScript[] = [];
  const look = (child: SyntaxNode): void => {
    if (child.type === 'Script') scripts.push(child);
    else forEachChild(child, look);
  };
  forEachChild(node, look);
  return scripts;
}
