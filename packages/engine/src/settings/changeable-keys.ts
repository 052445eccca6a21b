/**
 * The keys that clients may change besides the chat model. All others are changed at the terminal:
 * those that judge, ask, isolate, record, undo or limit, those that direct keys and requests, and
 * those for reaching the engine. A new key is not listed here: fail closed.
 */
const CHANGEABLE: ReadonlySet<string> = new Set([
  'models.chat.contextWindow',
  'models.chat.maxOutputTokens',
  'models.chat.thinking',
  'limits.maxRounds',
  'limits.maxOutputTokens',
  'timeouts.firstTokenSeconds',
  'timeouts.idleSeconds',
  'timeouts.answerSeconds',
  'timeouts.clientToolSeconds',
  'retry.enabled',
  'retry.maxRetries',
  'retry.baseDelaySeconds',
  'retry.maxDelaySeconds',
  'retry.jitter',
  'retry.cooldownSeconds',
  'queues.steer',
  'queues.followUp',
  'compaction.enabled',
  'compaction.at',
  'compaction.keep',
  'tools.initial',
  'memory.enabled',
  'memory.sessions',
  'agents.max',
  'agents.idleSeconds',
  'pools.workers',
  'pools.commands',
]);

export function isChangeable(key: string): boolean {
  return CHANGEABLE.has(key);
}

export function changeableKeys(): readonly string[] {
  return [...CHANGEABLE];
}
