import { BulkheadError, type ToolHostCall } from '@bulkhead/protocol';
import { bashTool } from '../definitions/bash-tool.ts';
import { readArguments } from '../read-arguments.ts';

/** The judged arguments of a call of `bash`. @throws BulkheadError `unknown_tool`, `invalid_arguments` */
export function commandOf(call: ToolHostCall): ReturnType<typeof bashTool.parse> {
  if (call.tool !== bashTool.name)
    throw new BulkheadError('unknown_tool', `no shell tool is named ${call.tool}`);
  return bashTool.parse(readArguments(bashTool.name, call.canonicalArguments));
}
