import { type EngineLink, expandEntry, stopStarted } from '@bulkhead/client';
import { APPROVAL_MODES } from '@bulkhead/protocol';
import type { ParsedArguments } from '../arguments/parse-arguments.ts';
import type { Command } from '../command.ts';
import { refuseBaseUrlOffline } from '../conversation/check-base-url.ts';
import {
  findPlace,
  sessionOf,
  tellHowToContinue,
  tellHowToGoOn,
  tellOtherFolder,
} from '../conversation/find-place.ts';
import { readImages } from '../conversation/read-images.ts';
import { readPrompt } from '../conversation/read-prompt.ts';
import { type RunRequest, runRequest } from '../conversation/run-request.ts';
import { INSECURE_OPTION, tellSandbox } from '../conversation/sandbox-banner.ts';
import { tellUnusedKeys } from '../conversation/shell-keys.ts';
import { tellMode } from '../conversation/tell-mode.ts';
import { type Environment, hasPerson } from '../environment.ts';
import { EXIT } from '../exit-code.ts';
import { homeOf } from '../home.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';

export const runCommand: Command = {
  usage: '[OPTIONS] PROMPT',
  about: 'Sends one message and prints the answer. Starts an engine if none runs.',
  details: [
    'What is piped into standard input is added below PROMPT; PROMPT "-" is standard input alone.',
    'Standard output carries the answer, standard error everything else.',
    'Exit codes: 0 completed, 1 failed, 2 usage, 3 blocked or not approved, 4 model error after retries,',
    '5 round or spend limit, 130 cancelled.',
  ],
  takesWords: true,
  options: {
    json: { about: 'print the events of the run, one JSON object a line' },
    session: { about: 'continue this session', value: 'ID' },
    continue: { about: 'continue the last session of this folder' },
    approve: {
      about: 'actions that need approval: deny, ask (with a terminal), allow',
      value: 'HOW',
      choices: APPROVAL_MODES,
    },
    model: { about: 'use this model instead of the configured one', value: 'PROVIDER/MODEL' },
    'base-url': { about: "address of the model's server", value: 'URL' },
    'max-rounds': { about: 'maximum number of model rounds', value: 'N' },
    cwd: { about: 'working folder of the tools', value: 'DIR' },
    isolated: { about: 'use a private engine for this call only' },
    otr: { about: 'off the record: tools only read, the session is not written to disk' },
    'dry-run': { about: 'describe changes without making them' },
    image: { about: 'attach an image (PNG, JPEG, GIF, WebP); repeatable', value: 'FILE' },
    ...INSECURE_OPTION,
  },
  run,
};

async function run(args: ParsedArguments, environment: Environment): Promise<number> {
  const request = runRequest(args, environment.cwd, hasPerson(environment));
  const stop = new AbortController();
  const leave = Promise.withResolvers<number>();
  using _interrupts = environment.onInterrupt(() => {
    if (stop.signal.aborted) leave.resolve(EXIT.cancelled);
    stop.abort();
  });
  return await Promise.race([leave.promise, runWithEngine(request, environment, stop.signal)]);
}

async function runWithEngine(
  request: RunRequest,
  environment: Environment,
  stop: AbortSignal,
): Promise<number> {
  try {
    const stderr = new Output(environment.stderr, environment.env);
    const content = await readPrompt(request.prompt, environment.stdin, (line) => stderr.line(line));
    const images = readImages(request.images, content);
    tellMode(request, stderr);
    const { isolated, insecureNoSandbox } = request;
    const options = { isolated, insecureNoSandbox, signal: stop };
    const opening = openEngine(homeOf(environment), environment, options);
    // Loads the code for an answer while the engine starts or answers.
    const [{ link, started }, { runMessage }] = await Promise.all([
      opening,
      import('../conversation/run-message.ts'),
    ]);
    try {
      const status = await link.repeat((client) => client.call('status', {}, stop), stop);
      tellSandbox(status, insecureNoSandbox, stderr);
      tellUnusedKeys(status, environment.env, stderr);
      await refuseBaseUrlOffline(link, request, stop);
      const session = await sessionOf(link, request, stop);
      const place = await findPlace(link, session, request, stop);
      if (!request.json) tellOtherFolder(place, request.workingFolder, stderr);
      const text = await templateText(link, place.folder, content, stop);
      const message = { ...request, content: text, images };
      const code = await runMessage(link, place.sessionId, message, environment, stop);
      // An off-the-record session ends with its private engine.
      const gone = isolated && request.offTheRecord;
      if (!request.json && !gone) {
        if (code === EXIT.limit) tellHowToContinue(place.sessionId, request.offTheRecord, stderr);
        else tellHowToGoOn(place.sessionId, request.offTheRecord, stderr);
      }
      return code;
    } finally {
      if (isolated && started !== undefined) await stopStarted(link, started);
      link[Symbol.dispose]();
    }
  } catch (cause) {
    if (stop.aborted) return EXIT.cancelled;
    throw cause;
  }
}

/** `/NAME words` is the text of the template of that name, if there is one; a path is no name. */
async function templateText(
  link: EngineLink,
  folder: string,
  content: string,
  signal: AbortSignal,
): Promise<string> {
  if (!/^\/[a-z0-9-]+(?:\s|$)/.test(content)) return content;
  return (await link.repeat((client) => expandEntry(client, folder, content), signal)) ?? content;
}
