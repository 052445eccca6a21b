import type { AuditSink } from '@bulkhead/audit';
import type { Redaction } from '@bulkhead/protocol';
import { redactValue } from './redact-value.ts';

/** An audit log that is given no secrets: details are names, paths and reasons, and a secret can be part of any. */
export function redactingAudit(sink: AuditSink, redaction: Redaction): AuditSink {
  return {
    append: (inputs) =>
      sink.append(
        inputs.map((input) => ({
          ...input,
          tool: redaction.redact(input.tool),
          details: redactValue(input.details, redaction),
        })),
      ),
  };
}
