import { dispatch } from '../dispatch.ts';
import { type Script, ScriptedEngine } from './scripted-engine.ts';
import { type TestEnvironment, testEnvironment } from './test-environment.ts';
import { testHome } from './test-home.ts';

export const CTRL_D = '\x04';

/** A home with a scripted engine, and chats on their own terminals. */
export class ChatStage implements AsyncDisposable {
  readonly home = testHome();
  readonly engine: ScriptedEngine;

  private constructor(script: Script) {
    this.engine = new ScriptedEngine(this.home.layout, script);
  }

  /** @param answers calls with these answers */
  static async open(script: Script, answers: ScriptedEngine['answers'] = {}): Promise<ChatStage> {
    const stage = new ChatStage(script);
    stage.engine.answers = answers;
    await stage.engine.listen();
    return stage;
  }

  chat(...argv: string[]): { environment: TestEnvironment; exit: Promise<number> } {
    const environment = testEnvironment(this.home.layout, { terminal: ['stdin', 'stdout', 'stderr'] });
    return { environment, exit: dispatch(['chat', ...argv], environment) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.close();
    this.home[Symbol.dispose]();
  }
}
