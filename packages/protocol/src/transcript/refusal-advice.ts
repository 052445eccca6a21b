/** By prefix of a rule's name; the first match applies. */
const ADVICE: readonly (readonly [rule: string, advice: string])[] = [
  [
    'protection/outside',
    'Tools reach the working folder only: start in the folder you mean, or name it with --cwd.',
  ],
  ['protection/', 'No policy opens that: if it must be, do it yourself (docs/containment.md).'],
  ['off the record', 'Without --otr a session may.'],
  ['', '`bulkhead policy test` shows what decides (docs/policy.md); if it must be, do it yourself.'],
];

/** The user's options after an action was blocked, in one line. @param rule name in the verdict */
export function refusalAdvice(rule: string): string {
  return ADVICE.find(([start]) => rule.startsWith(start))?.[1] ?? '';
}
