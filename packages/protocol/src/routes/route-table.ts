import type { CallName, Route, Verb } from './route.ts';

/** A message with its images, in base64; a session's file. */
const MESSAGE_BYTES = 24 * 1024 * 1024;

/**
 * Where each call of the client service is found over HTTP; `local` for what only the socket in the engine's own folder may ask, because its
 * answer or its question is a secret. Total: a call without a row does not compile.
 */
export const routeTable: Readonly<Record<CallName, Route | 'local'>> = {
  status: at('GET', '/status'),
  stop: at('POST', '/stop'),

  // Their answers are secrets that open doors.
  readAccessToken: 'local',
  rotateAccessToken: 'local',
  createLoginCode: 'local',
  createProgramToken: 'local',
  // Its question holds secrets: they go no other way than they came.
  handOverKeys: 'local',
  acceptLoss: 'local',
  // It makes what is kept for undo older by any time: whoever is at the machine knows what day it is.
  confirmClock: 'local',
  listAccess: at('GET', '/access'),
  revokeAccess: at('DELETE', '/access/{target}'),

  readSettings: at('GET', '/settings'),
  changeSettings: at('PUT', '/settings'),
  testModel: at('POST', '/settings/model/test'),
  setUpModel: at('PUT', '/settings/model'),

  createSession: at('POST', '/sessions'),
  listSessions: at('GET', '/sessions'),
  importSession: { ...at('POST', '/sessions/import'), bodyBytes: MESSAGE_BYTES },
  readSession: at('GET', '/sessions/{sessionId}'),
  searchSessions: at('GET', '/sessions/search'),
  deleteSession: at('DELETE', '/sessions/{sessionId}'),
  sendMessage: { ...at('POST', '/sessions/{sessionId}/messages'), bodyBytes: MESSAGE_BYTES },
  watch: at('GET', '/sessions/{sessionId}/events'),
  submitToolResult: at('POST', '/sessions/{sessionId}/tool-results'),
  cancelRun: at('POST', '/sessions/{sessionId}/cancel'),
  forkSession: at('POST', '/sessions/{sessionId}/fork'),
  moveLeaf: at('POST', '/sessions/{sessionId}/move'),
  labelEntry: at('PUT', '/sessions/{sessionId}/entries/{entryId}/label'),
  setTitle: at('PUT', '/sessions/{sessionId}/title'),
  readBranch: at('GET', '/sessions/{sessionId}/branch'),
  readTree: at('GET', '/sessions/{sessionId}/tree'),
  exportSession: at('GET', '/sessions/{sessionId}/export'),
  compactSession: at('POST', '/sessions/{sessionId}/compact'),
  listRules: at('GET', '/sessions/{sessionId}/rules'),
  pinRule: at('POST', '/sessions/{sessionId}/rules'),
  unpinRule: at('DELETE', '/sessions/{sessionId}/rules/{number}'),
  declassify: at('POST', '/sessions/{sessionId}/declassify'),
  trustValue: at('POST', '/sessions/{sessionId}/trusted-values'),

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

  rotateAuditKey: at('POST', '/audit/rotate-key'),
  listAudit: at('GET', '/audit'),
  verifyAudit: at('POST', '/audit/verify'),
  proveAction: at('GET', '/actions/{actionId}/proof'),
  listLabels: at('GET', '/labels'),
  explainFlow: at('GET', '/actions/{actionId}/flow'),

  showMemory: at('GET', '/memory'),
  searchMemory: at('GET', '/memory/search'),
  addMemory: at('POST', '/memory'),
  rewriteMemory: at('PUT', '/memory'),
  reindexMemory: at('POST', '/memory/reindex'),
  listMemoryProposals: at('GET', '/memory/proposals'),
  decideMemoryProposal: at('POST', '/memory/proposals/{id}'),

  listSkills: at('GET', '/skills'),
  createSkill: at('POST', '/skills'),
  inspectSkill: at('POST', '/skills/inspect'),
  installSkill: at('POST', '/skills/install'),
  readSkill: at('GET', '/skills/{name}'),
  removeSkill: at('DELETE', '/skills/{name}'),
  pinSkill: at('POST', '/skills/{name}/pin'),
  listTemplates: at('GET', '/templates'),
  expandTemplate: at('POST', '/templates/{name}/expand'),
};

function at(verb: Verb, path: string): Route {
  return { verb, path };
}
