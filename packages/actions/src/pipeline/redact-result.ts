import type { Redaction, ToolResult } from '@bulkhead/protocol';

/** The result without secrets, for model and person. */
export function redactResult<Result extends ToolResult>(result: Result, { redact }: Redaction): Result {
  const { display, needs, reached } = result;
  return {
    ...result,
    text: redact(result.text),
    ...(display === undefined ? {} : { display: redact(display) }),
    ...(needs === undefined
      ? {}
      : { needs: needs.map((need) => ({ ...need, target: redact(need.target) })) }),
    ...(reached === undefined ? {} : { reached: reached.map(redact) }),
  };
}
