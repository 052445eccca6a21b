import { BulkheadError } from '@bulkhead/protocol';
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { Policy, PolicyList } from './policy.ts';
import { policySchema } from './policy-schema.ts';

const MAX_BYTES = 256 * 1024;

interface Problem {
  readonly offset: number;
  readonly text: string;
}

/**
 * Reads a policy file. Strict: an unknown or doubled key, an anchor, alias or tag, an empty `match` and
 * text over 256 KiB are errors.
 * @param fileName for messages only
 * @throws BulkheadError `config_invalid` naming file, line and column
 */
export function parsePolicy(text: string, fileName: string): Policy {
  const lines = new LineCounter();
  const fail = ({ offset, text: what }: Problem): BulkheadError => {
    const { line, col } = lines.linePos(offset);
    return new BulkheadError('config_invalid', `${fileName}:${line}:${col}: ${what}`, {
      fix: 'Mend the policy; until then nothing is allowed by it.',
      details: { file: fileName, line, column: col },
    });
  };
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new BulkheadError('config_invalid', `${fileName}: a policy is at most ${MAX_BYTES} bytes`, {
      fix: 'Split it, or use patterns instead of long lists.',
    });
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    // Compares every key with every other: `nodeProblems` does it in one pass.
    uniqueKeys: false,
  });
  const [problem] = [...syntaxProblems(document), ...nodeProblems(document)].sort(
    (a, b) => a.offset - b.offset,
  );
  if (problem !== undefined) throw fail(problem);
  return readPolicy(document, fail);
}

function syntaxProblems(document: Document): readonly Problem[] {
  return [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    offset: pos[0],
    text: message,
  }));
}

/** Keys given twice, and what makes one part of a file stand for another. */
function nodeProblems(document: Document): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (node: { range?: readonly number[] | null | undefined }, text: string): void => {
    problems.push({ offset: node.range?.[0] ?? 0, text });
  };
  visit(document, {
    Alias: (_, node) => report(node, 'an alias is not allowed in a policy'),
    Value: (_, node) => {
      if (node.anchor !== undefined) report(node, 'an anchor is not allowed in a policy');
      if (node.tag !== undefined) report(node, `the tag ${node.tag} is not allowed in a policy`);
    },
    Map: (_, node) => {
      const seen = new Set<unknown>();
      for (const { key } of node.items) {
        const value = isScalar(key) ? key.value : undefined;
        if (seen.has(value) && isNode(key)) report(key, `key ${JSON.stringify(value)} is there twice`);
        seen.add(value);
      }
    },
  });
  return problems;
}

function readPolicy(document: Document, fail: (problem: Problem) => BulkheadError): Policy {
  const parsed = policySchema.safeParse(document.toJS());
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message, ...issue }) => {
      const keys = 'keys' in issue ? issue.keys : [];
      const where = [...path, ...keys.slice(0, 1)].map((key) => (typeof key === 'symbol' ? '' : key));
      return { offset: offsetOf(document, where), text: `${pathText(path)}${message}` };
    });
    const [first] = problems.sort((a, b) => a.offset - b.offset);
    throw fail(first ?? { offset: 0, text: 'is not a policy' });
  }
  const { version, name, rules } = parsed.data;
  const policy: Policy = {
    version,
    name,
    deny: rules.deny,
    verify: rules.verify.map(({ by: _, ...rule }) => rule),
    allow: rules.allow,
  };
  checkNames(policy, document, fail);
  return policy;
}

function checkNames(policy: Policy, document: Document, fail: (problem: Problem) => BulkheadError): void {
  const seen = new Set<string>();
  const lists: readonly PolicyList[] = ['deny', 'verify', 'allow'];
  for (const list of lists) {
    for (const [index, { name }] of policy[list].entries()) {
      const offset = offsetOf(document, ['rules', list, index, 'name']);
      if (seen.has(name))
        throw fail({ offset, text: `the rule name ${JSON.stringify(name)} is there twice` });
      seen.add(name);
    }
  }
}

/** Where in the file a value is; for a key of a map, where the key is; else the nearest thing around it. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const parent = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true);
    const key = path[depth - 1];
    const pair = isMap(parent)
      ? parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key)
      : undefined;
    const node = pair?.key ?? document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text === '' ? '' : `${text.replace(/^\./, '')}: `;
}
