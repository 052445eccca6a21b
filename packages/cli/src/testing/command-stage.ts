import type { EngineLink } from '@bulkhead/client';
import type { MessageDelivery } from '../chat/commands/chat-command.ts';
import { CHAT_COMMANDS, COMMAND_NAMES } from '../chat/commands/chat-commands.ts';
import { ChosenModel } from '../chat/commands/chosen-model.ts';
import { parseChatInput } from '../chat/ui/terminal-chat.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import { ScriptedEngine } from './scripted-engine.ts';
import { type TestEnvironment, testEnvironment } from './test-environment.ts';
import { testHome } from './test-home.ts';

/** Runs commands of the chat without a screen, against a scripted engine. */
export class CommandStage implements AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly engine: ScriptedEngine;
  /** Messages that commands sent, beside calls of the engine. */
  readonly sent: [text: string, delivery: MessageDelivery][] = [];
  readonly opened: (string | undefined)[] = [];
  left = false;
  /** Ids of the waiting messages; `m2` is one of this chat. */
  waiting = ['m1', 'm2'];
  /** Answers questions, in order; undefined is a withdrawn question. */
  readonly replies: (string | undefined)[] = [];
  readonly asked: string[] = [];
  readonly view = { showThinking: false };
  readonly model = new ChosenModel('offline/echo', '');
  readonly #home = testHome();
  #link: EngineLink | undefined;

  private constructor(answers: ScriptedEngine['answers']) {
    this.engine = new ScriptedEngine(this.#home.layout, async () => {});
    this.engine.answers = answers;
    this.environment = testEnvironment(this.#home.layout, { terminal: ['stdout'] });
  }

  /** @param answers calls with these answers */
  static async open(answers: ScriptedEngine['answers'] = {}): Promise<CommandStage> {
    const stage = new CommandStage(answers);
    await stage.engine.listen();
    const { signal } = new AbortController();
    stage.#link = (await openEngine(stage.#home.layout, stage.environment, { signal })).link;
    return stage;
  }

  get layout() {
    return this.#home.layout;
  }

  /** @returns what the command printed; for a mistake, its reason */
  async enter(entry: string, signal = new AbortController().signal): Promise<string> {
    const input = parseChatInput(entry, CHAT_COMMANDS);
    if (input.kind === 'mistake') return input.reason;
    if (input.kind !== 'command' || this.#link === undefined) throw new Error(`${entry} is no command`);
    const link = this.#link;
    const { sent, opened, view, model } = this;
    const seat = {
      link,
      signal,
      sessionId: 'session-1',
      folder: '/work',
      model,
      view,
      queue: { sessionId: 'session-1', waiting: this.waiting, own: new Map([['m2', 'mine\nand more']]) },
      taken: COMMAND_NAMES,
      ask: async (question: string) => {
        this.asked.push(question);
        return this.replies.shift();
      },
      send: async (text: string, delivery: MessageDelivery) => void sent.push([text, delivery]),
      open: async (sessionId: string | undefined) => void opened.push(sessionId),
      leave: () => {
        this.left = true;
      },
    };
    return await this.#printed(
      async (output) => await input.command.run(input.argument, { ...seat, output }),
    );
  }

  /** As after a reconnect. @returns what was printed */
  async tellIfAnother(): Promise<string> {
    const link = this.#link;
    return await this.#printed(async (output) => {
      if (link !== undefined) await this.model.tellIfAnother(link, output);
    });
  }

  async #printed(print: (output: Output) => Promise<void>): Promise<string> {
    const before = this.environment.out().length;
    await print(new Output(this.environment.stdout, this.environment.env));
    return this.environment.out().slice(before);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#link?.[Symbol.dispose]();
    await this.engine.close();
    this.#home[Symbol.dispose]();
  }
}
