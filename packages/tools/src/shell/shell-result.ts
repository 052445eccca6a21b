import type { ToolResult } from '@bulkhead/protocol';
import type { ShellEnd } from './run-shell-process.ts';

/** Status of a launch whose box could not be made; the launcher then says one line and nothing has run. */
const BOX_FAILED_STATUS = 125;
const LAUNCHER_LINE = /^bulkhead-launcher: ([^\n]*)\n?$/;

/**
 * What the model is told of a command that has ended.
 * @param output as captured
 * @param timeoutSeconds its time limit
 */
export function shellResult(end: ShellEnd, output: string, timeoutSeconds: number): ToolResult {
  const failure = boxFailure(end, output);
  if (failure !== undefined) return boxError(failure);
  const remark = remarkOn(end, timeoutSeconds);
  if (remark === undefined) return { text: output === '' ? '(no output)' : output, isError: false };
  const separator = output === '' || output.endsWith('\n') ? '' : '\n';
  return { text: `${output}${separator}${remark}`, isError: true };
}

export function boxError(reason: string): ToolResult {
  return { text: `the box could not be set up: ${reason}; the command did not run`, isError: true };
}

function boxFailure(end: ShellEnd, output: string): string | undefined {
  return end.code === BOX_FAILED_STATUS ? LAUNCHER_LINE.exec(output)?.[1] : undefined;
}

function remarkOn(end: ShellEnd, timeoutSeconds: number): string | undefined {
  if (end.stopped === 'timeout') return `[stopped: the time limit of ${timeoutSeconds} s is over]`;
  if (end.stopped === 'cancelled') return '[stopped: cancelled]';
  if (end.signal !== null) return `[killed by ${end.signal}]`;
  return end.code === 0 ? undefined : `[exit code ${end.code}]`;
}
