import type { Finding } from '../effects/finding.ts';
import type { ArgumentContext } from './judged-call.ts';
import { namedEffects } from './named-effects.ts';
import { type ArgumentRule, findingOf } from './rules.ts';

const FORCING = /^(?:force|mirror|overwrite|hard|prune|delete|no[_-]?verify)/i;

/** Judges the tool's effect alone; its arguments are judged separately. */
export function judgeEffect(context: ArgumentContext): readonly Finding[] {
  return [...published(context), ...scheduled(context), ...requested(context)];
}

/** A person confirms everything that becomes public. */
function published({ annotation, call, options }: ArgumentContext): readonly Finding[] {
  if (annotation.effect !== 'publish') return [];
  const forced = Object.entries(call.args).find(([name, value]) => FORCING.test(name) && value === true);
  return [
    ...findingOf('publishes', options.preset, 'publishes what others will see'),
    ...(forced === undefined
      ? []
      : findingOf(rewriteRule(options.request), options.preset, `sets ${forced[0]}`)),
  ];
}

/** Beginnings of words that ask to overwrite data that others see. */
const REWRITING = /\b(?:forc|overwr|rewr|replac|rebas|amend|squash|delet|prun|mirror)/i;

function rewriteRule(request: string | undefined): ArgumentRule {
  return REWRITING.test(request ?? '') ? 'rewrites-history' : 'rewrites-history-unasked';
}

/** No one can be asked when it runs. */
function scheduled({ annotation, call, options }: ArgumentContext): readonly Finding[] {
  const roles = Object.keys(call.args).map((name) => annotation.arguments[name]);
  if (annotation.effect !== 'schedule' || !roles.some((role) => role === 'command' || role === 'code'))
    return [];
  return findingOf('runs-unattended', options.preset, 'runs a command repeatedly without anyone to ask');
}

/**
 * An outgoing call for a request to reveal secrets. A person decides where the words only hint at
 * it.
 */
function requested(context: ArgumentContext): readonly Finding[] {
  const { options, outgoing, call, annotation } = context;
  if (options.request === undefined || (!outgoing && annotation.effect !== 'schedule')) return [];
  const effects = namedEffects(options.request.slice(0, 8_192), call);
  if (effects.credentials === undefined || !effects.does('send')) return [];
  return findingOf(
    'request-gives-secrets',
    options.preset,
    'serves a request that speaks of credentials and of sending',
  );
}
