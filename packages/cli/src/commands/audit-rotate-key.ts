import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import type { AuditVerb } from './audit-verb.ts';

/** `audit rotate-key`: the engine does it, as the only writer of the log */
export const rotateAuditKey: AuditVerb = async ({ args, stdout, environment, signal }) => {
  const { link } = await openEngine(homeOf(environment), environment, { signal });
  using _link = link;
  const { from, to } = await link.once((client) => client.call('rotateAuditKey', {}));
  if (args.flag('json')) stdout.own(`${JSON.stringify({ from, to })}\n`);
  else {
    stdout.line(`key ${stdout.safeLine(to)}`);
    stdout.line(
      `    signs from now on; ${stdout.safeLine(from)} signed the change, and its private key is deleted`,
    );
    stdout.line('    store the new key where this machine cannot change it, for `audit verify --key KEY`');
  }
  return EXIT.completed;
};
