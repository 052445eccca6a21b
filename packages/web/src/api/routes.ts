import type { ClientService } from '@bulkhead/protocol/client';

type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Where the HTTP door has a call: members of its message that the path does not name go in the query (GET, DELETE) or the body. */
export interface Route {
  readonly verb: Verb;
  /** Below `/api/v1`; `{member}` stands for one part. */
  readonly path: string;
}

/** The calls that the web UI makes. It knows the door from outside, as any client: e2e/web makes them in a browser. */
export const routes: Readonly<Partial<Record<keyof typeof ClientService.method, Route>>> = {
  status: at('GET', '/status'),
  stop: at('POST', '/stop'),
  readSettings: at('GET', '/settings'),
  changeSettings: at('PUT', '/settings'),
  testModel: at('POST', '/settings/model/test'),
  setUpModel: at('PUT', '/settings/model'),
  createSession: at('POST', '/sessions'),
  listSessions: at('GET', '/sessions'),
  searchSessions: at('GET', '/sessions/search'),
  deleteSession: at('DELETE', '/sessions/{sessionId}'),
  sendMessage: at('POST', '/sessions/{sessionId}/messages'),
  cancelRun: at('POST', '/sessions/{sessionId}/cancel'),
  forkSession: at('POST', '/sessions/{sessionId}/fork'),
  moveLeaf: at('POST', '/sessions/{sessionId}/move'),
  labelEntry: at('PUT', '/sessions/{sessionId}/entries/{entryId}/label'),
  setTitle: at('PUT', '/sessions/{sessionId}/title'),
  readBranch: at('GET', '/sessions/{sessionId}/branch'),
  readTree: at('GET', '/sessions/{sessionId}/tree'),
  importSession: at('POST', '/sessions/import'),
  listRules: at('GET', '/sessions/{sessionId}/rules'),
  pinRule: at('POST', '/sessions/{sessionId}/rules'),
  unpinRule: at('DELETE', '/sessions/{sessionId}/rules/{number}'),
  exportSession: at('GET', '/sessions/{sessionId}/export'),
  compactSession: at('POST', '/sessions/{sessionId}/compact'),
  declassify: at('POST', '/sessions/{sessionId}/declassify'),
  readContext: at('GET', '/context'),
  readUsage: at('GET', '/usage'),
  runDoctor: at('POST', '/doctor'),
  listTools: at('GET', '/tools'),
  listModels: at('GET', '/models'),
  listCommands: at('GET', '/commands'),
  stopCommand: at('POST', '/commands/{commandId}/stop'),
  listApprovals: at('GET', '/approvals'),
  decideApproval: at('POST', '/approvals/{approvalId}'),
  inspectFolder: at('GET', '/trust/inspect'),
  listTrusted: at('GET', '/trust'),
  trustFolder: at('POST', '/trust'),
  revokeTrust: at('DELETE', '/trust'),
  listSnapshots: at('GET', '/snapshots'),
  diffSnapshot: at('GET', '/snapshots/{id}/diff'),
  rollBack: at('POST', '/snapshots/{id}/rollback'),
  verifyChronicle: at('POST', '/snapshots/verify'),
  listAudit: at('GET', '/audit'),
  verifyAudit: at('POST', '/audit/verify'),
  proveAction: at('GET', '/actions/{actionId}/proof'),
  listLabels: at('GET', '/labels'),
  explainFlow: at('GET', '/actions/{actionId}/flow'),
  showMemory: at('GET', '/memory'),
  searchMemory: at('GET', '/memory/search'),
  addMemory: at('POST', '/memory'),
  listMemoryProposals: at('GET', '/memory/proposals'),
  decideMemoryProposal: at('POST', '/memory/proposals/{id}'),
  listSkills: at('GET', '/skills'),
  readSkill: at('GET', '/skills/{name}'),
  inspectSkill: at('POST', '/skills/inspect'),
  installSkill: at('POST', '/skills/install'),
  pinSkill: at('POST', '/skills/{name}/pin'),
  listTemplates: at('GET', '/templates'),
  expandTemplate: at('POST', '/templates/{name}/expand'),
};

function at(verb: Verb, path: string): Route {
  return { verb, path };
}
