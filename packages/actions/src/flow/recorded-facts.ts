import type { NewRecord } from '@bulkhead/sessions';
import * as z from 'zod';
import type { ActionFacts } from '../pipeline/stages.ts';

/** A note in a session's log, after the start of an action. Logs of earlier versions have none. */
export const ACTION_FACTS = 'action_facts';

const factsSchema = z.object({
  action: z.string(),
  workingFolder: z.string(),
  paths: z.array(z.object({ path: z.string(), access: z.enum(['read', 'write']) })),
  hosts: z.array(z.string()),
});

export function factsBody({ action, workingFolder, paths, hosts }: ActionFacts): NewRecord['body'] {
  const kept = paths.map(({ path, access }) => ({ path, access }));
  return { action, workingFolder, paths: kept, hosts: [...hosts] };
}

/** Undefined for what this version can't read: the facts must be derived again then. */
export function readFacts(body: NewRecord['body']): ActionFacts | undefined {
  return factsSchema.safeParse(body).data;
}
