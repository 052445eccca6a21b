export { type AssembledCompaction, assembleCompaction } from './compaction/assemble-compaction.ts';
export { compactConversation } from './compaction/compact-conversation.ts';
export type { CompactionEvent } from './compaction/compaction-event.ts';
export { withAsked } from './compaction/summary-text.ts';
export { messageTokens, textTokens } from './compaction/token-estimate.ts';
export type { AgentConnection, AgentDirective, AgentEvent } from './connection/agent-connection.ts';
export { type ServeAgentOptions, serveAgent } from './connection.ts';
export {
  LOAD_SKILLS,
  loadSkillsResult,
  requestedSkills,
  skillsIn,
  skillTools,
} from './loop/load-skills.ts';
export { LOAD_TOOLS, loadToolsDefinition, loadToolsResult, requestedGroups } from './loop/load-tools.ts';
export type { LoopEnd, LoopEvent } from './loop/loop-event.ts';
export type { LoopPorts, LoopResults } from './loop/loop-ports.ts';
export { closingText } from './loop/message-parts.ts';
export { modelView } from './loop/model-view.ts';
export { NOTICES, withNotice } from './loop/notices.ts';
export { restoredSkills } from './loop/restored-skills.ts';
export { runLoop } from './loop/run-loop.ts';
export { thoughtsOf } from './loop/thoughts.ts';
export { ResultMarks } from './prompt/mark-results.ts';
export { type PromptFacts, type PromptSection, promptFacts } from './prompt/sections/prompt-section.ts';
export { buildSystemPrompt, type RenderedSection, systemSections } from './prompt/system-prompt.ts';
export { type HiddenCharacters, hiddenShown } from './prompt/text/hidden-characters.ts';
export { marked } from './prompt/text/marks.ts';
export { buildTurnPart, turnSections } from './prompt/turn-part.ts';
