/**
 * What clients may change besides the chat model. Everything else is changed at the terminal: what judges, asks, boxes, records,
 * undoes or caps, where keys and requests go, and how the engine is reached. A key that is new is not here: fail closed.
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
