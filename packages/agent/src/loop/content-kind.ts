import type { ToolCall } from '@bulkhead/protocol/chat';

const KIND_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['c', 'C source'],
  ['cpp', 'C++ source'],
  ['cs', 'C# source'],
  ['css', 'CSS'],
  ['csv', 'CSV'],
  ['go', 'Go source'],
  ['h', 'C source'],
  ['html', 'HTML'],
  ['java', 'Java source'],
  ['js', 'JavaScript source'],
  ['json', 'JSON'],
  ['jsx', 'JavaScript source'],
  ['kt', 'Kotlin source'],
  ['lua', 'Lua source'],
  ['md', 'Markdown'],
  ['mjs', 'JavaScript source'],
  ['php', 'PHP source'],
  ['proto', 'Protocol Buffers source'],
  ['py', 'Python source'],
  ['rb', 'Ruby source'],
  ['rs', 'Rust source'],
  ['sh', 'shell script'],
  ['sql', 'SQL'],
  ['swift', 'Swift source'],
  ['toml', 'TOML'],
  ['ts', 'TypeScript source'],
  ['tsx', 'TypeScript source'],
  ['xml', 'XML'],
  ['yaml', 'YAML'],
  ['yml', 'YAML'],
]);

const KIND_BY_TOOL: ReadonlyMap<string, string> = new Map([
  ['find', 'paths'],
  ['grep', 'matches'],
  ['ls', 'listing'],
]);

/**
 * The kind of content in a result, for people: by the tool, else by the name of the file read, else
 * by its form.
 */
export function contentKind(call: ToolCall, text: string): string {
  const byTool = KIND_BY_TOOL.get(call.name);
  if (byTool !== undefined) return byTool;
  const byName = call.name === 'read' ? KIND_BY_EXTENSION.get(extension(call.argumentsJson)) : undefined;
  return byName ?? kindByLook(text);
}

function kindByLook(text: string): string {
  const start = text.trimStart().slice(0, 200);
  if (/^(diff --git |--- \S|@@ )/.test(start)) return 'diff';
  if (/^(<!doctype html|<html)/i.test(start)) return 'HTML';
  if (start.startsWith('<?xml')) return 'XML';
  if (isJson(text)) return 'JSON';
  const head = text.slice(0, LOOKED_AT);
  return KINDS_BY_LOOK.find(([look]) => look.test(head))?.[1] ?? 'text';
}

/** Length of the text that is examined, in characters. */
const LOOKED_AT = 4_000;

/**
 * Lines typical of one kind of text, most specific first. A file printed by a command has no name
 * here.
 */
const KINDS_BY_LOOK: readonly (readonly [look: RegExp, kind: string])[] = [
  [/^#!.*\b(?:ba|z|da)?sh\b/, 'shell script'],
  [/^package \w+\s*$/m, 'Go source'],
  [/^(?:pub )?(?:fn \w+\s*[(<]|mod \w+;|impl\b.*\{|use \w+::)/m, 'Rust source'],
  [/^(?:def \w+\(.*\).*:|class \w+.*:|from [\w.]+ import )\s*/m, 'Python source'],
  [/^(?:export )?(?:interface \w+|type \w+ =|import type )/m, 'TypeScript source'],
  [
    /^(?:import .* from ['"]|export (?:default|const|function|class)\b|const \w+ = require\()/m,
    'JavaScript source',
  ],
  [/^#include\s*[<"]/m, 'C source'],
  [/^(?:public |private )?(?:final )?class \w+.*\{/m, 'Java source'],
  [/^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/, 'log lines'],
  [/^#{1,6} \S/, 'Markdown'],
];

/**
 * Only text that starts like an object or a list is parsed: people see numbers and quoted words as
 * text.
 */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function extension(argumentsJson: string): string {
  try {
    const input: unknown = JSON.parse(argumentsJson);
    const path = typeof input === 'object' && input !== null && 'path' in input ? input.path : undefined;
    return typeof path === 'string' ? (/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '') : '';
  } catch {
    return '';
  }
}
