import { compactionLines } from '../chat/commands/compact.ts';
import { numberOfRule, ruleLines } from '../chat/commands/pins.ts';
import { EXIT } from '../exit-code.ts';
import type { SessionsCall, SessionsVerb } from './sessions-verb.ts';

/** `sessions compact ID [--focus TEXT]`: prints how to undo it. */
export const compactSession: SessionsVerb = async ({ client, words, args, stdout }) => {
  const [sessionId = ''] = words;
  const focus = args.value('focus') ?? '';
  const done = await client.call('compactSession', { sessionId, focus });
  if (args.flag('json')) {
    const { afterwards, entryId, undoEntryId, byRule, focusUsed } = done;
    const line = { session: sessionId, afterwards, entry: entryId, before: undoEntryId, byRule, focusUsed };
    stdout.own(`${JSON.stringify(line)}\n`);
  } else {
    for (const line of compactionLines(sessionId, done, focus)) stdout.line(stdout.safeLine(line));
  }
  return EXIT.completed;
};

/** `sessions pin ID TEXT…` */
export const pinRule: SessionsVerb = async (call) => {
  const [sessionId = '', rule = ''] = call.words;
  return tellRules(call, (await call.client.call('pinRule', { sessionId, rule })).rules);
};

/** `sessions unpin ID NUMBER` */
export const unpinRule: SessionsVerb = async (call) => {
  const [sessionId = '', number = ''] = call.words;
  return tellRules(
    call,
    (await call.client.call('unpinRule', { sessionId, number: numberOfRule(number) })).rules,
  );
};

/** `sessions pins ID` */
export const listRules: SessionsVerb = async (call) =>
  tellRules(call, (await call.client.call('listRules', { sessionId: call.words[0] ?? '' })).rules);

function tellRules({ words, args, stdout }: SessionsCall, rules: readonly string[]): number {
  if (args.flag('json')) stdout.own(`${JSON.stringify({ session: words[0] ?? '', rules })}\n`);
  else for (const line of ruleLines(rules)) stdout.line(stdout.safeLine(line));
  return EXIT.completed;
}
