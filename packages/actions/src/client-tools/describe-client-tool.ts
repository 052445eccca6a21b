import { BulkheadError, CLIENT_TOOLS_GROUP, clientToolName, type ToolDescription } from '@bulkhead/protocol';
import type { ClientTool } from '@bulkhead/protocol/records';
import { isObject } from './json-schema.ts';
import { readSchema } from './read-schema.ts';
import { schemaMismatch } from './schema-mismatch.ts';

/**
 * A client tool as model and pipeline see it. Its external effect is unknown: a repeated call may
 * repeat the effect.
 *
 * @throws BulkheadError `internal` for a tool that was not checked
 */
export function describeClientTool({ name, description, inputSchemaJson }: ClientTool): ToolDescription {
  const schema = readSchema(inputSchemaJson);
  if (typeof schema === 'string') throw new BulkheadError('internal', `the schema of ${name} ${schema}`);
  return {
    name: clientToolName(name),
    description: `Done by the program that asks you, elsewhere. ${description}`.trimEnd(),
    group: CLIENT_TOOLS_GROUP,
    readOnly: false,
    effect: 'once',
    inputSchema: schema,
    parse(input) {
      const wrong = isObject(input) ? schemaMismatch(schema, input) : 'the arguments must be a JSON object';
      if (isObject(input) && wrong === undefined) return { arguments: input, effect: 'once', paths: [] };
      throw new BulkheadError('invalid_arguments', `${clientToolName(name)}: ${wrong}`, {
        fix: 'Call it again with corrected arguments',
      });
    },
  };
}
