import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { Action, ActionPath, ToolAnnotation } from '@bulkhead/protocol';
import type { EvalStep } from './eval-case.ts';

/** The assumed place of a case's actions: an arbitrary folder. */
export const CASE_PLACE = { workingFolder: '/home/user/project', home: '/home/user' } as const;

/**
 * Returns the action of a step. Its arguments are judged as given: there is no schema to refuse
 * them, so the facts of an action come from the tool's annotation. Paths are resolved by name
 * alone, without a disk.
 */
export function caseAction(step: EvalStep, annotation: ToolAnnotation | undefined, group: string): Action {
  const roles = annotation?.arguments ?? {};
  const valuesOf = (...wanted: readonly string[]): readonly string[] =>
    Object.entries(step.args).flatMap(([name, value]) =>
      wanted.includes(roles[name] ?? '') ? texts(value) : [],
    );
  const command = valuesOf('command').join('\n');
  const hosts = [...valuesOf('url').flatMap(hostOfUrl), ...valuesOf('host')];
  const canonical = JSON.stringify({ arguments: step.args, tool: step.tool });
  return {
    id: '',
    sessionId: '',
    runId: '',
    callId: '',
    tool: step.tool,
    arguments: step.args,
    canonical,
    hash: createHash('sha256').update(canonical, 'utf8').digest('hex'),
    time: '',
    metadata: {
      workingFolder: CASE_PLACE.workingFolder,
      paths: [
        ...valuesOf('path-read').map((path) => resolved(path, 'read')),
        ...valuesOf('path-write', 'path-delete').map((path) => resolved(path, 'write')),
      ],
      ...(command === '' ? {} : { command }),
      ...(hosts.length === 0 ? {} : { hosts }),
      group,
      effect: annotation?.effect === 'read' ? 'pure' : 'once',
    },
  };
}

function texts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function resolved(path: string, access: ActionPath['access']): ActionPath {
  const named = path.replace(/^~(?=\/|$)/, CASE_PLACE.home).replaceAll('\0', '\uFFFD');
  const whole = posix.resolve(CASE_PLACE.workingFolder, named);
  return { path: whole, access };
}

function hostOfUrl(text: string): readonly string[] {
  const url = URL.parse(text);
  return url === null || url.hostname === '' ? [] : [url.hostname];
}
