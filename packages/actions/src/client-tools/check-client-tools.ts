import { BulkheadError } from '@bulkhead/protocol';
import type { ClientTool } from '@bulkhead/protocol/records';
import { readSchema } from './read-schema.ts';

const MAX_TOOLS = 128;
/** Longest description, in characters. */
const MAX_DESCRIPTION = 4_096;
/**
 * Total of all names, descriptions and schemas, in UTF-16 units: every model request includes them.
 */
const MAX_TOTAL = 128 * 1024;

/** A name that every provider accepts with the prefix `client_`. */
const LEGAL_NAME = /^[A-Za-z0-9_-]{1,57}$/;

/**
 * @throws BulkheadError `usage` for tools that cannot be offered to a model; names the first one
 */
export function checkClientTools(tools: readonly ClientTool[]): void {
  if (tools.length > MAX_TOOLS) throw refused(`more than ${MAX_TOOLS} client tools`, 'Send fewer.');
  const total = tools.reduce((sum, tool) => sum + sizeOf(tool), 0);
  if (total > MAX_TOTAL) {
    throw refused(
      `the client tools are longer than ${MAX_TOTAL} characters together`,
      'Send fewer, or shorten them.',
    );
  }
  const names = new Set<string>();
  for (const tool of tools) {
    checkOne(tool);
    if (names.has(tool.name)) throw refused(`two client tools are named ${tool.name}`, 'Rename one.');
    names.add(tool.name);
  }
}

function checkOne(tool: ClientTool): void {
  const { name, description } = tool;
  if (!LEGAL_NAME.test(name)) {
    const shown = JSON.stringify(name.slice(0, 80));
    throw refused(`${shown} is no name of a client tool`, 'Use 1 to 57 letters, digits, _ and -.');
  }
  if (description.length > MAX_DESCRIPTION || !description.isWellFormed()) {
    throw refused(
      `the description of ${name} is longer than ${MAX_DESCRIPTION} characters, or no text`,
      'Shorten it.',
    );
  }
  const schema = readSchema(tool.inputSchemaJson);
  if (typeof schema === 'string')
    throw refused(`the schema of ${name} ${schema}`, 'Send a JSON Schema of type object.');
}

function sizeOf({ name, description, inputSchemaJson }: ClientTool): number {
  return name.length + description.length + inputSchemaJson.length;
}

function refused(what: string, fix: string): BulkheadError {
  return new BulkheadError('usage', what, { fix });
}
