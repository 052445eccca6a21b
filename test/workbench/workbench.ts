import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { differences, lastingDifferences } from './compare.ts';
import type { Group, Piece } from './piece.ts';
import { preparePlace, rustHome, SYSTEM_PATH } from './place.ts';
import { BoxedPlayer } from './play-boxed.ts';
import { playPlain } from './play-plain.ts';

export type Verdict = 'same' | 'asked' | 'differs' | 'skipped';

export interface PieceResult {
  /** `group/piece`. */
  readonly id: string;
  readonly verdict: Verdict;
  readonly questions: number;
  /** The first question, refusal or difference; or why it was skipped. */
  readonly why: string;
  /** The first of them, for programs. */
  readonly details: readonly string[];
  readonly seconds: number;
}

/** A lost folder alone would give hundreds. */
const DETAILS = 30;

/** Plays pieces plain and boxed in folders of its own, and compares. One engine serves all pieces. */
export class Workbench implements AsyncDisposable {
  readonly #root: string;
  readonly #boxed: BoxedPlayer;

  private constructor(root: string, boxed: BoxedPlayer) {
    this.#root = root;
    this.#boxed = boxed;
  }

  static async open(): Promise<Workbench> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'bulkhead-workbench-')));
    try {
      return new Workbench(root, await BoxedPlayer.open());
    } catch (error) {
      rmSync(root, { recursive: true, force: true });
      throw error;
    }
  }

  async play(group: Group, piece: Piece): Promise<PieceResult> {
    const id = `${group.name}/${piece.name}`;
    const started = performance.now();
    const result = (verdict: Verdict, details: readonly string[], questions = 0): PieceResult => {
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      return { id, verdict, questions, why: details[0] ?? '', details: details.slice(0, DETAILS), seconds };
    };
    const missing = reasonToSkip(piece);
    if (missing !== undefined) return result('skipped', [missing]);
    try {
      const port = await freePort();
      const prepare = () => preparePlace(this.#root, this.#boxed.home, group, piece, port);
      const plain = await playPlain(piece, prepare(), port);
      const boxed = await this.#boxed.play(piece, prepare(), port);
      let found = differences(plain, boxed);
      if (found.length > 0) found = lastingDifferences(plain, await playPlain(piece, prepare(), port), boxed);
      const questions = boxed.commands.flatMap((command) => command.questions.map((one) => `asks: ${one}`));
      const refusals = boxed.commands.flatMap((command) => command.refusals.map((one) => `refuses: ${one}`));
      const details = [...refusals, ...found.map(({ text }) => text), ...questions];
      if (found.length > 0) return result('differs', details, questions.length);
      return result(questions.length > 0 ? 'asked' : 'same', details, questions.length);
    } catch (error) {
      return result('differs', [`could not be played: ${error instanceof Error ? error.message : error}`]);
    } finally {
      rmSync(join(this.#root, `${group.name}-${piece.name}`), { recursive: true, force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#boxed[Symbol.asyncDispose]();
    } finally {
      rmSync(this.#root, { recursive: true, force: true });
    }
  }
}

function reasonToSkip({ as, needs = [], toolchains }: Piece): string | undefined {
  const who = process.getuid?.() === 0 ? 'root' : 'user';
  if (as !== undefined && as !== who) return as === 'root' ? 'only root can' : 'only for an ordinary user';
  if (toolchains && rustHome() === undefined) return 'no rust toolchain in the home';
  const missing = needs.filter((program) => !isThere(program));
  return missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}`;
}

function isThere(program: string): boolean {
  if (program.startsWith('/')) return existsSync(program);
  return SYSTEM_PATH.split(':').some((folder) => existsSync(join(folder, program)));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('no free port');
}
