import {
  type Action,
  type ActionMetadata,
  type ActionPath,
  BulkheadError,
  type Verdict,
} from '@bulkhead/protocol';

/** An action of `tool` in the working folder `/w`. */
export function actionOf(tool: string, metadata: Partial<ActionMetadata> = {}): Action {
  return {
    id: '01J',
    sessionId: 's',
    runId: 'r',
    callId: 'c',
    tool,
    arguments: {},
    canonical: `{"arguments":{},"tool":"${tool}"}`,
    hash: 'ab',
    time: '2026-01-01T00:00:00Z',
    metadata: { workingFolder: '/w', paths: [], group: 'core', effect: 'once', ...metadata },
  };
}

export function reads(...paths: readonly string[]): readonly ActionPath[] {
  return paths.map((path) => ({ path, access: 'read' }));
}

export function writes(...paths: readonly string[]): readonly ActionPath[] {
  return paths.map((path) => ({ path, access: 'write' }));
}

/** The BulkheadError that `action` throws. */
export function errorOf(action: () => unknown): BulkheadError {
  try {
    action();
  } catch (error) {
    if (BulkheadError.is(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** A tier's verdict for a test. */
export function verdictOf(decision: Verdict['decision'], tier: Verdict['tier']): Verdict {
  return { decision, tier, rule: `rule-${tier}`, reason: 'r', confidence: 0.5 };
}

/** A policy with one rule in one list. */
export function policyText(list: 'deny' | 'verify' | 'allow', match: string): string {
  const rule = `[{ name: only, match: ${match}, ${list === 'verify' ? 'by: human, ' : ''}reason: because }]`;
  const lists = ['deny', 'verify', 'allow'].map((each) => `  ${each}: ${each === list ? rule : '[]'}\n`);
  return `version: 1\nname: test\nrules:\n${lists.join('')}`;
}
