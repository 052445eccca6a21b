import { BulkheadError } from '@bulkhead/protocol';
import { nearest } from '../arguments/nearest.ts';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import type { Environment } from '../environment.ts';

export const shieldCommand: Command = {
  usage: 'eval [--policy FILE] [--tools FILE] [--tiers 0,1] [--preset NAME] [--summary] CASES.jsonl',
  about:
    'Evaluates recorded actions and prints one verdict line for each. Executes nothing, needs no engine.',
  details: [
    'A case is one line of JSON: {"id","tool","args","userMessage"?}, or a trace {"id","userMessage","steps":[{"tool","args","result"?}]}.',
    'CASES - reads standard input. Verdicts are judged by the deterministic tiers; a case that would need a model or a',
    'person is "escalate".',
  ],
  takesWords: true,
  verbs: ['eval'],
  options: {
    policy: {
      about: 'a tier 0 policy in place of the preset, or what tools do (as ifc.yaml) beside the shipped',
      value: 'FILE',
    },
    tools: {
      about: 'definitions of tools without annotations, JSON lines as an MCP server announces them',
      value: 'FILE',
    },
    tiers: { about: 'which tiers judge (0,1)', value: 'LIST' },
    summary: { about: 'counts on standard error; arguments that a schema refuses are counted apart' },
    preset: {
      about: 'default, permissive or strict (default)',
      value: 'NAME',
      choices: ['default', 'permissive', 'strict'],
    },
    json: { about: 'verdicts are JSON lines, with or without this' },
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const [verb, file, extra] = args.words;
  if (verb !== 'eval') {
    const near = nearest(verb ?? '', ['eval']);
    throw usage(
      verb === undefined
        ? 'the verb is missing: eval'
        : `unknown: shield ${verb}${near ? ' (did you mean "eval"?)' : ''}`,
    );
  }
  if (file === undefined || extra !== undefined) throw usage('`shield eval` takes one file of cases');
  const { evaluateFile } = await import('./shield-eval.ts');
  return await evaluateFile(file, args, environment);
}

function usage(message: string): BulkheadError {
  return new BulkheadError('usage', message, { fix: 'See `bulkhead shield --help`.' });
}
