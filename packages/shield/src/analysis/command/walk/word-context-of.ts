import type { Script } from 'unbash';
import { LABEL } from '../../effects/labels.ts';
import { variableOf } from '../shell-state.ts';
import { EMPTY, literal, type Text } from '../text.ts';
import type { WordContext } from '../words/word-context.ts';
import type { Step } from './analysis.ts';

/** What words are expanded with at one step. */
export function wordContext(step: Step): WordContext {
  const { walk, analysis } = step;
  const { state, budget } = walk;
  const run = (script: Script, stdin: Text): Text =>
    budget.deeper(() => analysis.walkStatements(script.commands, { walk: walk.apart(), analysis, stdin }));
  return {
    budget,
    home: state.home,
    variable: (name) => (name === '@' || name === '*' ? undefined : variableOf(state, name)),
    elements: (name) => state.arrays.get(name === '*' ? '@' : name),
    assign: (name, value) => state.variables.set(name, value),
    substitute(script) {
      const errors = 'errors' in script ? script.errors : undefined;
      if (Array.isArray(errors) && errors.length > 0) {
        walk.emit({ verb: 'evaluate', kind: 'unparsed', labels: LABEL.none, object: 'a substitution' });
      }
      const output = run(script, step.stdin);
      return { text: output.text.replace(/\n+$/, ''), labels: output.labels };
    },
    process(script, operator) {
      const path = `/dev/fd/p${state.files.size + state.sinks.size}`;
      if (operator === '<') state.files.set(path, run(script, EMPTY));
      else {
        state.sinks.set(path, script);
        run(script, step.stdin);
      }
      return literal(path);
    },
    evaluate: (text) => {
      walk.shell(text, { same: true });
    },
  };
}
