import type { ArgumentRole, EffectKind, ToolAnnotation } from '@bulkhead/protocol';
import type { Finding } from '../effects/finding.ts';
import { analyseArguments } from './analyse-arguments.ts';
import type { ArgumentOptions, CommandJudge, JudgedCall } from './judged-call.ts';

/** A tool of these roles. */
export function toolOf(effect: EffectKind, args: Readonly<Record<string, ArgumentRole>>): ToolAnnotation {
  return { tool: 'a-tool', effect, sink: 'none', arguments: args, result: { writer: 'external' } };
}

export const READ = toolOf('read', { path: 'path-read' });
export const WRITE = toolOf('change', { path: 'path-write', content: 'content' });
export const DELETE = toolOf('delete', { path: 'path-delete' });
export const FETCH = toolOf('fetch', { url: 'url' });
export const POST = toolOf('send', { url: 'url', method: 'plain', headers: 'content', body: 'content' });
export const MAIL = toolOf('send', {
  to: 'recipient',
  subject: 'content',
  body: 'content',
  attachments: 'path-read',
});
export const DELEGATE = toolOf('delegate', { task: 'task' });
export const REMEMBER = toolOf('remember', { content: 'content' });
export const SCHEDULE = toolOf('schedule', { when: 'plain', command: 'command', task: 'task' });

const PLACE = { workingFolder: '/home/ada/project', home: '/home/ada' };

/** The findings of a call made in `/home/ada/project`. */
export function findingsOf(
  annotation: ToolAnnotation,
  args: JudgedCall['args'],
  options: Partial<ArgumentOptions> = {},
): readonly Finding[] {
  return analyseArguments({ tool: annotation.tool, args, ...PLACE }, annotation, {
    preset: 'default',
    ...options,
  });
}

/** The strictest decision of the findings. */
export function verdictOf(...input: Parameters<typeof findingsOf>): 'allow' | Finding['decision'] {
  const decisions = findingsOf(...input).map(({ decision }) => decision);
  if (decisions.includes('block')) return 'block';
  return decisions.length > 0 ? 'escalate' : 'allow';
}

/**
 * Replaces the analysis of commands: blocks a download piped into a shell, and allows everything
 * else.
 */
export const judgeDownloads: CommandJudge = (command) =>
  /curl[^|]*\|\s*(?:ba)?sh/.test(command)
    ? [{ decision: 'block', rule: 'foreign-code', reason: 'runs what it has downloaded' }]
    : [];
