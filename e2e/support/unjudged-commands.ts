import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './stage.ts';

const RULES = `version: 1
name: unjudged-commands
rules:
  deny: []
  verify: []
  allow:
    - name: any-command
      match: { tool: bash }
      minTier: 0
      reason: to show what holds whatever a judge says
`;

/**
 * Writes a policy whose approval of a command is final, so that no analysis and no person stands
 * before the walls behind it.
 *
 * @returns the line of `config.yaml` that puts it in force
 */
export function unjudgedCommands({ layout }: Stage): string {
  mkdirSync(layout.policies, { recursive: true, mode: 0o700 });
  writeFileSync(join(layout.policies, 'unjudged-commands.yaml'), RULES);
  return 'policy: unjudged-commands';
}
