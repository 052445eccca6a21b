import { invalidRequest } from './api-error.ts';
import type { ClientToolInit } from './asked.ts';
import { Fields } from './field-reader.ts';

/**
 * Reads the tools of a request, for both APIs.
 *
 * @param nested true where a function stands in a member of its own (chat completions)
 * @returns none if the model must not call any
 * @throws BulkheadError `usage` (400) for tools that are not functions, and for a choice that
 *   can't be forced
 */
export function readTools(fields: Fields, nested: boolean): readonly ClientToolInit[] {
  const tools = (fields.list('tools') ?? []).map((each, index) => {
    const tool = Fields.of(each, `tools[${index}]`);
    const type = tool.requiredText('type');
    if (type !== 'function') {
      throw invalidRequest(
        `a tool of type ${JSON.stringify(type.slice(0, 40))} is not supported: only functions are`,
        tool.at('type'),
        'unsupported_value',
      );
    }
    return readFunction(nested ? requiredObject(tool, 'function') : tool);
  });
  return mayCall(fields) ? tools : [];
}

function requiredObject(fields: Fields, name: string): Fields {
  const object = fields.object(name);
  if (object === undefined) throw fields.wrong(name, 'an object');
  return object;
}

function readFunction(fields: Fields): ClientToolInit {
  const parameters = fields.object('parameters');
  return {
    name: fields.requiredText('name'),
    description: fields.text('description') ?? '',
    inputSchemaJson: parameters === undefined ? '' : JSON.stringify(fields.value('parameters')),
  };
}

function mayCall(fields: Fields): boolean {
  const choice = fields.value('tool_choice');
  if (choice === undefined || choice === 'auto') return true;
  if (choice === 'none') return false;
  throw invalidRequest(
    'tool_choice is "auto" or "none" here: no model is forced to a call',
    'tool_choice',
    'unsupported_value',
  );
}
