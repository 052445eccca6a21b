import { verbUsageError } from '../arguments/verb-table.ts';
import { EXIT } from '../exit-code.ts';
import { confirmed, type IfcCall, type IfcVerb, sessionOption } from './ifc-verb.ts';

/** `ifc declassify --session ID` */
export const declassify: IfcVerb = async (call) => {
  const { client, args, stdout, stderr } = call;
  const sessionId = await needSession(call);
  const [label] = (await client.call('listLabels', { sessionId })).labels;
  if (!args.flag('json')) {
    stderr.line(
      `Session ${stderr.safeLine(sessionId)} has read ${label?.secrecy} data. After this, all of it may leave as if it were public.`,
    );
    stderr.line('Files made from it keep their labels, and data that others wrote stays untrusted.');
  }
  if (!(await confirmed(call, 'Declassify it?'))) {
    stderr.line('nothing was changed');
    return EXIT.blocked;
  }
  const { before, now, trust } = await client.call('declassify', { sessionId });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ sessionId, before, now, trust })}\n`);
  else stdout.line(`${stdout.safeLine(sessionId)} was ${before}, is ${now}`);
  return EXIT.completed;
};

/** `ifc trust VALUE --session ID` */
export const trustValue: IfcVerb = async (call) => {
  const { client, word, args, stdout, stderr } = call;
  const sessionId = await needSession(call);
  if (!args.flag('json')) {
    stderr.line(
      `In session ${stderr.safeLine(sessionId)} this would count as your own words: ${stderr.safeLine(word)}`,
    );
  }
  if (!(await confirmed(call, 'Trust it?'))) {
    stderr.line('nothing was changed');
    return EXIT.blocked;
  }
  await client.call('trustValue', { sessionId, value: word });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ sessionId, value: word })}\n`);
  else stdout.line(`${stdout.safeLine(word)} is trusted in ${stdout.safeLine(sessionId)}`);
  return EXIT.completed;
};

async function needSession(call: IfcCall): Promise<string> {
  const sessionId = await sessionOption(call);
  if (sessionId === '') throw verbUsageError('ifc', 'name a session: --session ID');
  return sessionId;
}
