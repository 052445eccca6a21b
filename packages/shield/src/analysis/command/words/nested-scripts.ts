import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';

/** The scripts of all substitutions directly inside a node, wherever they stand in it. */
export function nestedScripts(node: SyntaxNode): readonly ParsedScript[] {
  const scripts: ParsedScript[] = [];
  const look = (child: SyntaxNode): void => {
    if (child.type === 'Script') scripts.push(child);
    else forEachChild(child, look);
  };
  forEachChild(node, look);
  return scripts;
}
