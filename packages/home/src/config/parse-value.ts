import { BulkheadError } from '@bulkhead/protocol';
import { tooDeepAt } from '@bulkhead/protocol/strict-yaml';
import { isAlias, isCollection, isNode, type Node, parseDocument, Scalar, visit } from 'yaml';
import type { ConfigKey } from './config-keys.ts';

/**
 * Reads a value from a command line: a YAML scalar, or a list or map in brackets. A text key takes
 * it unchanged unless it is quoted: a model may be called `5`.
 *
 * @throws BulkheadError `usage`
 */
export function parseValue(text: string, { key, type }: ConfigKey): Node {
  if (type === 'string' && text !== '' && !/^\s*["']/.test(text)) return new Scalar(text);
  if (tooDeepAt(text) !== undefined) throw unreadable(key, 'is nested deeper than any key');
  const document = parseDocument<Node>(text, { version: '1.2', schema: 'core', stringKeys: true });
  const { contents } = document;
  if (document.errors.length > 0 || document.warnings.length > 0) throw unreadable(key, 'is not YAML');
  if (contents === null || (contents instanceof Scalar && contents.value === null)) {
    throw unreadable(key, 'is empty', `To take the key away: bulkhead config unset ${key}`);
  }
  if (isCollection(contents) && contents.flow !== true)
    throw unreadable(key, 'is neither plain nor in brackets');
  visit(document, {
    Node: (_, node) => {
      const marked = isAlias(node) || node.anchor !== undefined || node.tag !== undefined;
      if (marked) throw unreadable(key, 'has an anchor, an alias or a tag');
    },
  });
  if (!isNode(contents)) throw unreadable(key, 'is not YAML');
  contents.comment = null;
  contents.commentBefore = null;
  return contents;
}

function unreadable(key: string, what: string, fix?: string): BulkheadError {
  return new BulkheadError('usage', `the value for ${key} ${what}`, {
    fix:
      fix ?? "Write it as in YAML, in one line and in quotes: 5, true, text, '{ a: 1 }' or '[ { a: 1 } ]'.",
  });
}
