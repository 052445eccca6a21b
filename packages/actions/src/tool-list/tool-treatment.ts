import type { ToolAnnotation, ToolDescription } from '@bulkhead/protocol';
import type { Policy, PolicyRule, RuleMatch } from '@bulkhead/shield';

/** A rule that calls of a tool can match. */
export interface ToolRule {
  readonly name: string;
  /** Its effect on a call that it matches. */
  readonly does: string;
  readonly reason: string;
  /** True if it matches every call of the tool; otherwise that depends on the call's arguments. */
  readonly everyCall: boolean;
}

export interface ToolTreatment {
  /** The treatment of calls that no rule decides, or of all calls. */
  readonly treatment: string;
  /** In order of evaluation; ends with a rule that matches every call. */
  readonly rules: readonly ToolRule[];
}

type KnownTool = Pick<ToolDescription, 'name' | 'group' | 'runsCommand' | 'usesNetwork'>;

const UNDESCRIBED = 'a person is asked: the tool has no description';
const BY_CALL = 'judged by the effects and contents of the call; a person is asked if that does not allow it';

/**
 * How a policy treats a tool in general. The treatment of one call depends on its arguments.
 *
 * @param annotation of the tool; undefined for a tool without description
 */
export function treatmentOf(
  policy: Policy,
  tool: KnownTool,
  annotation: ToolAnnotation | undefined,
): ToolTreatment {
  const rules: ToolRule[] = [];
  for (const [rule, does] of rulesInOrder(policy)) {
    if (!canMatch(rule.match, tool, annotation)) continue;
    const { name, reason } = rule;
    const everyCall = matchesEvery(rule.match);
    rules.push({ name, does, reason, everyCall });
    if (everyCall) return { treatment: inGeneral(`${does} (${name}: ${reason})`, rules.length > 1), rules };
  }
  const treatment = inGeneral(annotation === undefined ? UNDESCRIBED : BY_CALL, rules.length > 0);
  return { treatment, rules };
}

function inGeneral(what: string, hasExceptions: boolean): string {
  return `${hasExceptions ? 'otherwise' : 'always'}: ${what}`;
}

function rulesInOrder({ deny, answered, verify, allow }: Policy): readonly (readonly [PolicyRule, string])[] {
  const JUDGES = {
    human: 'a person is asked',
    evaluator: 'a model judges it',
    analysis: 'the analysis judges it',
  } as const;
  const TIERS = ['allowed', 'allowed if the analysis agrees', 'allowed if a model agrees'] as const;
  return [
    ...deny.map((rule) => [rule, 'refused'] as const),
    ...answered.map((rule) => [rule, 'allowed permanently by you'] as const),
    ...verify.map((rule) => [rule, JUDGES[rule.by]] as const),
    ...allow.map((rule) => [rule, TIERS[rule.minTier]] as const),
  ];
}

/** False only if no call of the tool can match the rule. */
function canMatch(match: RuleMatch, tool: KnownTool, annotation: ToolAnnotation | undefined): boolean {
  const { tool: names, group, command, argv, host } = match;
  if (names?.includes(tool.name) === false || group?.includes(tool.group) === false) return false;
  if ((command !== undefined || argv !== undefined) && tool.runsCommand !== true) return false;
  if (host !== undefined && tool.usesNetwork !== true) return false;
  return annotation === undefined || canName(match, tool, annotation);
}

/** Whether its arguments can match the rule's condition. A command names its folder. */
function canName(
  { recipient, path, access }: RuleMatch,
  tool: KnownTool,
  annotation: ToolAnnotation,
): boolean {
  const roles = Object.values(annotation.arguments);
  if (recipient !== undefined && !roles.includes('recipient')) return false;
  const asksForPath = path !== undefined || access !== undefined;
  return !asksForPath || tool.runsCommand === true || roles.some((role) => role.startsWith('path-'));
}

/** True if the rule has no condition but the tool. */
function matchesEvery(match: RuleMatch): boolean {
  return Object.entries(match).every(
    ([condition, value]) => value === undefined || condition === 'tool' || condition === 'group',
  );
}
