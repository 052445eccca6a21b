import type { Output } from '../output/output.ts';
import { CHAT_COMMANDS } from './chat-input.ts';

/** `/help` */
export function printHelp(output: Output): void {
  for (const [name, about] of CHAT_COMMANDS) output.line(`  ${name.padEnd(24)}  ${about}`);
  output.line('  What you enter while a run goes on joins it at its next step.');
  output.line('  Ctrl-C cancels the run; twice with nothing running leaves.');
}
