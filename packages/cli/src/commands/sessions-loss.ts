import { EXIT } from '../exit-code.ts';
import type { SessionsVerb } from './sessions-verb.ts';

/** `sessions accept-loss SESSION` */
export const acceptLoss: SessionsVerb = async ({ client, words, args, stdout }) => {
  const [sessionId = ''] = words;
  const { lost } = await client.call('acceptLoss', { sessionId });
  if (args.flag('json')) stdout.own(`${JSON.stringify({ session: sessionId, lost })}\n`);
  else stdout.line(`accepted: ${stdout.safe(lost)}`);
  return EXIT.completed;
};
