export { type AssembledCompaction, assembleCompaction } from './compaction/assemble-summary.ts';
export { type CompactionQuestion, compactConversation } from './compaction/compact-conversation.ts';
export type { CompactRequest } from './compaction/compact-request.ts';
export { withAsked } from './compaction/summary-text.ts';
export { messageTokens, textTokens } from './compaction/token-estimate.ts';
export type { AgentConnection, AgentDirective, AgentEvent } from './connection/agent-connection.ts';
export { type ServeAgentOptions, serveAgent } from './connection.ts';
export { runAnswer } from './loop/after-answer.ts';
export {
  LOAD_SKILLS,
  type LoadedSkills,
  loadSkillsResult,
  requestedSkills,
  skillsIn,
  skillTools,
} from './loop/load-skills.ts';
export {
  LOAD_TOOLS,
  type LoadedGroups,
  loadToolsDefinition,
  loadToolsResult,
  requestedGroups,
} from './loop/load-tools.ts';
export { plainAnswer } from './loop/message-parts.ts';
export { modelView } from './loop/model-view.ts';
export { CONTINUATION_NOTE, LIMIT_NOTE } from './loop/notices.ts';
export { restoredSkills } from './loop/restored-skills.ts';
export { thoughtsOf } from './loop/thoughts.ts';
export { AgentSession } from './process/agent-session.ts';
export { ResultMarks } from './prompt/mark-results.ts';
export { type PromptFacts, type PromptSection, promptFacts } from './prompt/prompt-section.ts';
export { buildSystemPrompt, type RenderedSection, systemSections } from './prompt/system-prompt.ts';
export { type HiddenCharacters, hiddenShown } from './prompt/text/hidden-characters.ts';
export { marked } from './prompt/text/marks.ts';
export { buildTurnPart, turnSections } from './prompt/turn-part.ts';
export { RunDigest } from './reference/run-digest.ts';
