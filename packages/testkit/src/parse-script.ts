import type { ScriptedReply } from './script.ts';
import type { ScriptedServerOptions } from './scripted-model-server.ts';

const REPLY_FIELDS: ReadonlySet<string> = new Set<keyof ScriptedReply>([
  'text',
  'thinking',
  'signature',
  'redactedThinking',
  'toolCalls',
  'stopReason',
  'usage',
  'error',
  'errorEvent',
  'malformed',
  'stall',
  'cut',
  'delayMs',
  'chunkDelayMs',
  'split',
  'contentType',
  'repeat',
]);

export interface ScriptFile extends ScriptedServerOptions {
  readonly replies: readonly ScriptedReply[];
}

/**
 * Reads a script from the text of a file: a list of replies, or `{replies, atEnd}`.
 * @throws Error for anything else, and for an unknown field
 */
export function parseScript(text: string): ScriptFile {
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return { replies: value.map(parseReply) };
  if (!isObject(value) || !Array.isArray(value['replies'])) {
    throw new Error('a script is a list of replies or an object with "replies"');
  }
  const replies = value['replies'].map(parseReply);
  return value['atEnd'] === 'repeat-last' ? { replies, atEnd: 'repeat-last' } : { replies };
}

function parseReply(value: unknown, index: number): ScriptedReply {
  if (!isObject(value)) throw new Error(`reply ${index + 1} is no object`);
  const unknown = Object.keys(value).filter((field) => !REPLY_FIELDS.has(field));
  if (unknown.length > 0) throw new Error(`reply ${index + 1} has unknown fields: ${unknown.join(', ')}`);
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
