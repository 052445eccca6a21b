import type { Script } from 'unbash';
import { LABEL } from '../../effects/labels.ts';
import type { Budget } from '../shell/budget.ts';
import { variableOf } from '../shell/shell-state.ts';
import { EMPTY, literal, type Text } from '../shell/text.ts';
import type { WordContext } from '../words/word-context.ts';
import type { Step } from './analysis.ts';

/** Returns the context for expanding words at one step. */
export function wordContext(step: Step): WordContext {
  return new StepContext(step);
}

/** A class, as it is created for each command: one object without a closure per method. */
class StepContext implements WordContext {
  readonly #step: Step;

  constructor(step: Step) {
    this.#step = step;
  }

  get budget(): Budget {
    return this.#step.walk.budget;
  }

  get home(): string {
    return this.#step.walk.state.home;
  }

  variable(name: string): Text | undefined {
    return name === '@' || name === '*' ? undefined : variableOf(this.#step.walk.state, name);
  }

  elements(name: string): readonly Text[] | undefined {
    return this.#step.walk.state.arrays.get(name === '*' ? '@' : name);
  }

  assign(name: string, value: Text): void {
    this.#step.walk.state.variables.set(name, value);
  }

  substitute(script: Script): Text {
    const errors = 'errors' in script ? script.errors : undefined;
    if (Array.isArray(errors) && errors.length > 0) {
      const { walk } = this.#step;
      walk.emit({ verb: 'evaluate', kind: 'unparsed', labels: LABEL.none, object: 'a substitution' });
    }
    const output = this.#run(script, this.#step.stdin);
    return { text: output.text.replace(/\n+$/, ''), labels: output.labels };
  }

  process(script: Script, operator: '<' | '>'): Text {
    const { state } = this.#step.walk;
    const path = `/dev/fd/p${state.files.size + state.sinks.size}`;
    if (operator === '<') state.files.set(path, this.#run(script, EMPTY));
    else {
      state.sinks.set(path, script);
      this.#run(script, this.#step.stdin);
    }
    return literal(path);
  }

  evaluate(text: Text): void {
    this.#step.walk.shell(text, { same: true });
  }

  #run(script: Script, stdin: Text): Text {
    const { walk, analysis } = this.#step;
    return walk.budget.deeper(() =>
      analysis.walkStatements(script.commands, { walk: walk.apart(), analysis, stdin }),
    );
  }
}
