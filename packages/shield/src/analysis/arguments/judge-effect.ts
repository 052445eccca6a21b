import type { Finding } from '../effects/finding.ts';
import type { ArgumentContext } from './judged-call.ts';
import { namedEffects } from './named-effects.ts';
import { type ArgumentRule, findingOf } from './rules.ts';

const FORCING = /^(?:force|mirror|overwrite|hard|prune|delete|no[_-]?verify)/i;

/** Judges what the tool's effect alone says, beside what the arguments say. */
export function judgeEffect(context: ArgumentContext): readonly Finding[] {
  return [...published(context), ...scheduled(context), ...requested(context)];
}

/** What everybody sees is a person's to confirm. */
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

/** Beginnings of words by which people ask to overwrite what others see. */
const REWRITING = /\b(?:forc|overwr|rewr|replac|rebas|amend|squash|delet|prun|mirror)/i;

function rewriteRule(request: string | undefined): ArgumentRule {
  return REWRITING.test(request ?? '') ? 'rewrites-history' : 'rewrites-history-unasked';
}

/** Nobody is there to ask when it runs. */
function scheduled({ annotation, call, options }: ArgumentContext): readonly Finding[] {
  const roles = Object.keys(call.args).map((name) => annotation.arguments[name]);
  if (annotation.effect !== 'schedule' || !roles.some((role) => role === 'command' || role === 'code'))
    return [];
  return findingOf('runs-unattended', options.preset, 'runs a command again and again with nobody to ask');
}

/** A way out that serves a request to hand out secrets. What the words only hint at, a person tells. */
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
