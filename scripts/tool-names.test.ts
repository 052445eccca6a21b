import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { everyTool } from '@bulkhead/tools';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './checks/source-files.ts';

const root = dirname(import.meta.dirname);

/**
 * Tools whose names are also other words in code: a kind of access, a verb, a program of a shell.
 */
const WORDS: ReadonlySet<string> = new Set(['read', 'write', 'edit', 'find', 'ls', 'grep', 'bash']);
const NAMES: ReadonlySet<string> = new Set(everyTool.map(({ name }) => name));

/**
 * Files of the product that know tools by name, with the count and the reason. The numbers only
 * fall: a tool is one file and its line in the registry, and that file holds all data that others
 * need.
 */
const EXCEPTIONS: Readonly<Record<string, number>> = {
  // The editor's display of a call, until a call's events contain the card of its tool.
  'packages/client/src/acp/session/past-updates.ts': 1,
  'packages/client/src/acp/updates/tool-card.ts': 5,
  // The same in the browser.
  'packages/web/src/chat/tool-words.ts': 1,
  'packages/web/src/chat/undoable.ts': 1,
  // The agent's process knows tools from its request.
  'packages/agent/src/loop/content-kind.ts': 1,
  // The last word of `policy test` is a command; the document contains one call.
  'packages/cli/src/commands/policy-test.ts': 1,
  'packages/http/src/openapi/openapi-document.ts': 1,
};

/** Tests, the tools, and replacements of a model: a model calls tools by name. */
const LEFT_OUT =
  /\.test\.ts$|\.child\.ts$|\.conformance\.ts$|\/testing\/|\/testing\.ts$|^packages\/(testkit|tools\/src\/tools|models\/src\/offline)\//;

/**
 * Lines of a program that decide by the name of one of the product's tools, or build a call of one.
 */
function toolNamesIn(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const name = ts.isStringLiteralLike(node) ? node.text : keyOf(node);
    if (name !== undefined && NAMES.has(name) && (!WORDS.has(name) || meansATool(node))) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1} ${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function keyOf(node: ts.Node): string | undefined {
  return ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

/** An ambiguous name means a tool where it is compared with one, or is the tool of an object. */
function meansATool(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return /\b(?:tool|toolName|name)$/.test(parent.left.getText());
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() === 'tool';
  return ts.isCaseClause(parent) && /\btool(?:Name)?\)?$/.test(parent.parent.parent.expression.getText());
}

describe('the name of a tool', () => {
  it('is found where code decides by it', () => {
    const text = `
      if (call.tool === 'bash') f();
      const KINDS = { web_fetch: 'fetch' };
      const call = { tool: 'read' };
      switch (tool) { case 'edit': g(); }
      const access = 'read'; if (verb === 'write') h('memory_write');
      program === 'grep';
    `;
    expect(toolNamesIn('a.ts', text).map((line) => line.split(' ')[1])).toEqual([
      'bash',
      'web_fetch',
      'read',
      'edit',
      'memory_write',
    ]);
  });

  it('stands in its own file and the few others that are listed, and nowhere else', async () => {
    const paths = await sourceFiles(root, /^packages\/[^/]+\/src\/.*\.(?:ts|svelte)$/);
    const found = paths
      .filter((path) => !LEFT_OUT.test(path))
      .flatMap((path) => toolNamesIn(path, readFileSync(join(root, path), 'utf8')));
    const counted: Record<string, number> = {};
    for (const line of found) {
      const path = line.slice(0, line.indexOf(':'));
      counted[path] = (counted[path] ?? 0) + 1;
    }
    expect(counted, found.join('\n')).toEqual(EXCEPTIONS);
  });
});

describe('docs/tools.md', () => {
  it('lists every tool of the product, as it describes itself', () => {
    const rows = everyTool.map(
      ({ name, group, effect, description }) => `| \`${name}\` | ${group} | ${effect} | ${description} |`,
    );
    const page = readFileSync(join(root, 'docs/tools.md'), 'utf8');
    expect(page.slice(page.indexOf('## All tools')).trim().split('\n').slice(3)).toEqual(rows);
  });
});
