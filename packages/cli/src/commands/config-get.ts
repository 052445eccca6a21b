import {
  configJsonSchemaText,
  type EffectiveSetting,
  effectiveSettings,
  findConfigKey,
} from '@bulkhead/engine/offline/config';
import { BulkheadError } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { Output } from '../output/output.ts';
import { checkKey } from './config-key.ts';

/** `config get [KEY]`: lines as in YAML, each with a comment that names the value's source. */
export function getSettings(
  words: readonly string[],
  args: ParsedArguments,
  environment: Environment,
): Promise<void> {
  const [key, ...more] = words;
  if (more.length > 0) throw usage('`config get` takes one key');
  if (key !== undefined) checkKey(key);
  const settings = effectiveSettings(homeOf(environment).config, key) ?? [];
  const stdout = new Output(environment.stdout, environment.env);
  if (args.flag('json')) {
    const single = key !== undefined && findConfigKey(key)?.type !== 'object';
    const rows = settings.map(asJson);
    stdout.own(`${JSON.stringify(single ? rows[0] : rows)}\n`);
  } else {
    for (const setting of settings) stdout.line(asLine(setting, stdout));
  }
  return Promise.resolve();
}

/** `config schema` */
export function printSchema(
  words: readonly string[],
  _args: ParsedArguments,
  environment: Environment,
): Promise<void> {
  if (words.length > 0) throw usage('`config schema` takes no arguments');
  new Output(environment.stdout, environment.env).own(configJsonSchemaText());
  return Promise.resolve();
}

function asJson({ key, value, line, otherwise }: EffectiveSetting) {
  return {
    key,
    value: value ?? null,
    source: sourceOf({ value, line }),
    ...(line === undefined ? {} : { line }),
    ...(otherwise === undefined ? {} : { otherwise }),
  };
}

function asLine({ key, value, line, otherwise }: EffectiveSetting, stdout: Output): string {
  const source = sourceOf({ value, line });
  const from = source === 'file' ? `config.yaml:${line}` : source;
  const text = value === undefined ? noValue(otherwise) : ` ${stdout.safe(inYaml(value))}`;
  return `${stdout.safe(key)}:${text}  ${stdout.palette.dim(`# ${from}`)}`;
}

function noValue(otherwise: string | undefined): string {
  if (otherwise === undefined) return '';
  return otherwise === 'none' ? ' (none)' : ` (none: ${otherwise})`;
}

function sourceOf({ value, line }: Pick<EffectiveSetting, 'value' | 'line'>): 'file' | 'default' | 'not set' {
  if (line !== undefined) return 'file';
  return value === undefined ? 'not set' : 'default';
}

/** JSON is valid YAML; plain words need no quotes. */
function inYaml(value: unknown): string {
  const plain =
    typeof value === 'string' && /^[A-Za-z][\w./:-]*$/.test(value) && !/^(true|false|null)$/i.test(value);
  return plain ? value : JSON.stringify(value);
}

function usage(message: string): BulkheadError {
  return new BulkheadError('usage', message, { fix: 'See `bulkhead config --help`.' });
}
