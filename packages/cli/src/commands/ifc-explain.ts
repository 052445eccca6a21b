import { actionIds } from '@bulkhead/engine/offline/audit';
import { matchId } from '@bulkhead/protocol';
import type { ExplainFlowResponse, FlowEvidence } from '@bulkhead/protocol/client';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import type { Output } from '../output/output.ts';
import { type IfcVerb, sessionOption } from './ifc-verb.ts';

/** `ifc explain ACTION [--session ID]` */
export const explainFlow: IfcVerb = async (call) => {
  const { client, word, args, environment, stdout } = call;
  const actionId = matchId(word, await actionIds(homeOf(environment).audit), 'actions') ?? word;
  const explained = await client.call('explainFlow', { actionId, sessionId: await sessionOption(call) });
  if (args.flag('json'))
    stdout.own(`${JSON.stringify(asJson(explained))}
`);
  else show(explained, stdout);
  return EXIT.completed;
};

function show(explained: ExplainFlowResponse, stdout: Output): void {
  const { sessionId, actionId, tool, decision, rule, reason, audited, evidence, secrecy, trust } = explained;
  const { bold } = stdout.palette;
  stdout.line(`${bold(decision)} by ${rule}: ${stdout.safeLine(reason)}`);
  if (audited !== '') stdout.line(`  flow is in audit mode: it would have been ${audited}`);
  stdout.line(
    `  ${stdout.safeLine(tool)} in session ${stdout.safeLine(sessionId)}, action ${stdout.safeLine(actionId)}`,
  );
  const by = explained.annotatedBy === '' ? 'nothing' : stdout.safeLine(explained.annotatedBy);
  stdout.line(`  the tool’s effects are declared by ${by}`);
  stdout.line(`  data read until then: ${secrecy}, ${trust}`);
  for (const each of evidence) showEvidence(each, stdout);
}

function showEvidence(evidence: FlowEvidence, stdout: Output): void {
  const { argument, value, role, from, tool, source, writer, endorsed } = evidence;
  const { dim } = stdout.palette;
  stdout.line(
    `  ${stdout.safeLine(argument)} (${role}): ${stdout.safeLine(value)}  ${endorsed ? 'endorsed' : 'not endorsed'}`,
  );
  if (from === 'user') stdout.line(dim('    from your words'));
  else if (from === 'nowhere')
    stdout.line(dim('    unknown source: neither your words nor anything read contains it'));
  else stdout.line(dim(`    read by ${stdout.safeLine(tool)}, which ${writer} could write`));
  if (source !== '') stdout.line(dim(`    there: ${stdout.safeLine(source)}`));
}

function asJson({ $typeName: _, actionId, evidence, ...explained }: ExplainFlowResponse) {
  return { action: actionId, ...explained, evidence: evidence.map(({ $typeName: _name, ...each }) => each) };
}
