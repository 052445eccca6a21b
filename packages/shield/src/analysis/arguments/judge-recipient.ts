import type { Finding } from '../effects/finding.ts';
import { invisibleIn } from './invisible.ts';
import type { ArgumentContext } from './judged-call.ts';
import { isConfusable, namesIn, takenFor } from './lookalike.ts';
import { quoted } from './quoted.ts';
import { type ArgumentRule, findingOf } from './rules.ts';

/** More than this many at once is a mailing, not a message. */
const MANY = 10;

type Hit = readonly [rule: ArgumentRule, what: string];

/** Judges the recipients. @param texts one or more recipients each */
export function judgeRecipients(texts: readonly string[], context: ArgumentContext): readonly Finding[] {
  const { preset, request } = context.options;
  const hits: Hit[] = [];
  const known = namesIn(request ?? '');
  const recipients = texts.flatMap((text) => text.split(/[,;\n]/)).map((each) => each.trim());
  const present = recipients.filter((each) => each !== '');
  if (present.length > MANY)
    hits.push(['many-recipients', `would reach ${present.length} recipients at once`]);
  for (const text of texts) {
    if (/[\r\n][ \t]{0,20}[a-z-]{2,20}[ \t]{0,20}:/i.test(text))
      hits.push(['odd-recipient', `carries a mail header in a recipient: ${quoted(text)}`]);
  }
  for (const recipient of present.slice(0, 100)) hits.push(...oneRecipient(recipient, known));
  return hits.flatMap(([rule, what]) => findingOf(rule, preset, what));
}

function oneRecipient(recipient: string, known: readonly string[]): readonly Hit[] {
  const shown = quoted(recipient);
  if (invisibleIn(recipient) !== undefined)
    return [['odd-recipient', `has invisible characters in a recipient: ${shown}`]];
  const angled = /<([^<>]*)>\s*$/.exec(recipient)?.[1];
  const address = (angled ?? recipient).trim();
  if (isConfusable(address))
    return [['lookalike-recipient', `names a recipient in letters that look like others: ${shown}`]];
  const shownNames =
    angled === undefined
      ? []
      : namesIn(recipient.slice(0, recipient.lastIndexOf('<'))).filter((name) => name.includes('@'));
  if (shownNames.some((name) => name !== address.toLowerCase())) {
    return [['odd-recipient', `shows one address and names another: ${shown}`]];
  }
  const host = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  const model =
    takenFor(address, known) ??
    (address.includes('@')
      ? takenFor(
          host,
          known.map((name) => name.slice(name.lastIndexOf('@') + 1)),
        )
      : undefined);
  return model === undefined
    ? []
    : [['lookalike-recipient', `names a recipient that looks like ${quoted(model)}: ${shown}`]];
}
