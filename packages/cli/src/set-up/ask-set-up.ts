import type { EngineLink } from '@bulkhead/client';
import type { ReadSettingsResponse } from '@bulkhead/protocol/client';
import { askOnTerminal } from '../conversation/ask-on-terminal.ts';
import { yesOrNo } from '../conversation/yes-or-no.ts';
import type { Environment } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { Output } from '../output/output.ts';
import { askTrial } from './ask-trial.ts';
import { tellTest } from './tell-test.ts';
import { isOpen, offerToolchains } from './toolchains.ts';
import { configuredModel, type Trial } from './trial.ts';

/**
 * `bulkhead init` at a terminal: questions, a test, and one call at the end that saves everything.
 */
export async function askSetUp(
  link: EngineLink,
  { environment, test }: { readonly environment: Environment; readonly test: boolean },
  stop: AbortSignal,
): Promise<number> {
  const stderr = new Output(environment.stderr, environment.env);
  const settings = await link.repeat((client) => client.call('readSettings', {}, stop), stop);
  let asked: Omit<Trial, 'key'> | undefined = configuredModel(settings.settings);
  for (;;) {
    const trial = await askTrial({ environment, settings, before: asked }, stop);
    asked = trial;
    if (!test || (await works(link, trial, stderr, stop)))
      return await save(link, trial, settings, environment, stop);
    if (await agrees('Change your answers and try again?', environment, stop)) continue;
    if (await agrees('Save it anyway?', environment, stop))
      return await save(link, trial, settings, environment, stop);
    stderr.line('nothing was changed');
    return EXIT.blocked;
  }
}

async function works(link: EngineLink, trial: Trial, stderr: Output, stop: AbortSignal): Promise<boolean> {
  if (trial.provider === 'offline') return true;
  stderr.line('Testing the connection …');
  const result = await link.once((client) => client.call('testModel', { trial }, stop));
  tellTest(result, stderr);
  return result.ok;
}

async function save(
  link: EngineLink,
  trial: Trial,
  { secretPlace }: ReadSettingsResponse,
  environment: Environment,
  stop: AbortSignal,
): Promise<number> {
  const stdout = new Output(environment.stdout, environment.env);
  const { model, keyName } = await link.once((client) => client.call('setUpModel', { trial }, stop));
  if (keyName !== '') stdout.line(`stored ${keyName} in ${stdout.safeLine(secretPlace)}`);
  await link.once(async (client) => {
    const { toolchains } = await client.call('listToolchains', {}, stop);
    await offerToolchains(client, toolchains.filter(isOpen), environment, stop);
  });
  stdout.line(`${stdout.safeLine(model)} answers from now on. Try it: bulkhead chat`);
  return EXIT.completed;
}

async function agrees(question: string, environment: Environment, stop: AbortSignal): Promise<boolean> {
  return yesOrNo(await askOnTerminal(environment)(`${question} [y/N] `, stop)) === true;
}
