import { matchId } from '@bulkhead/protocol';
import type { MemoryProposal } from '@bulkhead/protocol/client';
import { verbUsageError } from '../arguments/verb-table.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output/output.ts';
import type { MemoryCall, MemoryVerb } from './memory-verb.ts';

const DECISIONS = ['accept', 'reject', 'revert'] as const;

/** `memory review [accept|reject|revert ID]` */
export const reviewMemory: MemoryVerb = async (call) => {
  const [decision, id] = call.words;
  if (decision === undefined) return await list(call);
  const known = DECISIONS.find((one) => one === decision);
  if (known === undefined || id === undefined) {
    throw verbUsageError('memory', `name a proposal: \`memory review ${DECISIONS.join('|')} ID\``);
  }
  const { client, args, stdout } = call;
  const { proposals } = await client.call('listMemoryProposals', { all: true });
  const whole =
    matchId(
      id,
      proposals.map((one) => one.id),
      'proposals',
    ) ?? id;
  const { text, proposal } = await client.call('decideMemoryProposal', { id: whole, decision: known });
  if (args.flag('json')) stdout.own(`${JSON.stringify(proposal === undefined ? {} : asJson(proposal))}\n`);
  else stdout.content(`${text}\n`);
  return EXIT.completed;
};

async function list({ client, args, stdout }: MemoryCall): Promise<number> {
  const { proposals } = await client.call('listMemoryProposals', { all: args.flag('all') });
  if (args.flag('json')) {
    stdout.own(`${JSON.stringify(proposals.map(asJson))}\n`);
    return EXIT.completed;
  }
  if (proposals.length === 0) stdout.line('nothing to review');
  for (const proposal of proposals) print(proposal, stdout);
  return EXIT.completed;
}

function print(
  { id, time, state, reason, sessionId, diff, text, trust }: MemoryProposal,
  stdout: Output,
): void {
  const { bold, dim, red } = stdout.palette;
  const from = sessionId === '' ? '' : `, session ${stdout.safeLine(sessionId)}`;
  stdout.line(`${bold(stdout.safeLine(id))}  ${state}  ${dim(`${time}${from}`)}`);
  stdout.line(`  ${stdout.safeLine(reason)}`);
  if (trust === 'external') stdout.line(`  ${red('based on data that others could have written')}`);
  for (const line of (diff === '' ? text : diff).split('\n')) stdout.line(`  ${stdout.safeLine(line)}`);
}

function asJson({ $typeName: _, ...proposal }: MemoryProposal) {
  return proposal;
}
