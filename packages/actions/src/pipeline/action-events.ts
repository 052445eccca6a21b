import type { AuditDetails } from '@bulkhead/audit';
import { originDetails } from '@bulkhead/log/session/accepted-input';
import type { Action, DurableEventBody, Verdict } from '@bulkhead/protocol';

/** @param repeats the action of the same call that this one repeats */
export function startedEvent(action: Action, repeats?: string): DurableEventBody {
  return {
    type: 'action_started',
    action: action.id,
    call: action.callId,
    tool: action.tool,
    hash: action.hash,
    ...(repeats === undefined ? {} : { repeats }),
  };
}

export function verdictEvent(action: Action, { decision, tier, rule, reason }: Verdict): DurableEventBody {
  return { type: 'shield_verdict', action: action.id, hash: action.hash, decision, tier, rule, reason };
}

/** Details of a verdict for the log of actions, with the version of its policy [FT24]. */
export function verdictDetails({ decision, tier, rule, confidence, policy }: Verdict): AuditDetails {
  return { decision, tier, rule, confidence, policy: policy ?? 'not asked' };
}

export function completedEvent(action: Action, success: boolean, summary: string) {
  return {
    type: 'action_completed' as const,
    action: action.id,
    call: action.callId,
    hash: action.hash,
    success,
    summary,
  };
}

/** Names and sizes only: the log of actions must not copy their content. */
export function auditDetails(action: Action): AuditDetails {
  return {
    call: action.callId,
    run: action.runId,
    bytes: Buffer.byteLength(action.canonical),
    paths: action.metadata.paths.map(({ path, access }) => `${access} ${path}`),
    ...(action.metadata.background === true ? { background: true } : {}),
    ...(action.metadata.hosts === undefined ? {} : { hosts: action.metadata.hosts }),
    ...(action.metadata.granted === undefined ? {} : { granted: action.metadata.granted }),
    ...(action.metadata.toolchains === undefined
      ? {}
      : { toolchains: action.metadata.toolchains.map(({ path }) => path) }),
    ...(action.metadata.secretFiles === undefined ? {} : { secretFiles: action.metadata.secretFiles }),
    ...(action.metadata.folders === undefined
      ? {}
      : {
          folders: action.metadata.folders.map(({ path, write }) =>
            write === true ? `${path} (change)` : path,
          ),
        }),
    ...originDetails(action.origin),
  };
}
