import { create } from '@bufbuild/protobuf';
import { BulkheadError, type Clock, inertLine, OWNER_ID, type Timers } from '@bulkhead/protocol';
import {
  ProfileSlot,
  type PromptContext,
  PromptContextSchema,
  type TurnContext,
  TurnContextSchema,
} from '@bulkhead/protocol/agent';
import type { ProfileReading, ProfileTexts } from '../profile/profile-texts.ts';
import { type PromptText, promptText } from '../profile/prompt-text.ts';
import { INSTRUCTION_FILES } from '../trust/scan-folder.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import type { TrustChange } from '../trust/trusted-file.ts';
import type { LocalTime } from './local-time.ts';
import type { Mind, RunQuestion, Told } from './mind.ts';
import type { MemoryRecall, Recollection } from './recall.ts';

/** A turn doesn't wait longer for memory, milliseconds. */
const RECALL_MS = 2_000;
/** Most of memory and of notes in one turn, in characters: some 4,000 tokens each. */
const MEMORY_CHARACTERS = 16_000;

/** Of how many sessions the last turn part is remembered, for people who ask what it was. */
const REMEMBERED = 32;

const NOTHING: Recollection = { chunks: [], notes: [] };

/** The prompt facts of this engine's agents: profile, trusted working folder, memory and time. */
export class EngineMind implements Mind {
  readonly #parts: EngineMindParts;
  readonly #turns = new Map<string, TurnContext>();
  readonly #changed = new Map<string, string>();
  #told: readonly string[] = [];

  constructor(parts: EngineMindParts) {
    this.#parts = parts;
  }

  async tell(question: RunQuestion): Promise<Told> {
    const [prompt, turn] = await Promise.all([this.#prompt(question), this.#turn(question)]);
    if (question.message !== '') this.#remember(question.sessionId, turn);
    return { prompt, turn };
  }

  lastTurn(sessionId: string): TurnContext | undefined {
    return this.#turns.get(sessionId);
  }

  #remember(sessionId: string, turn: TurnContext): void {
    this.#turns.delete(sessionId);
    this.#turns.set(sessionId, turn);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > REMEMBERED && oldest !== undefined) this.#turns.delete(oldest);
  }

  async #prompt(question: RunQuestion): Promise<PromptContext> {
    const { sessionId, workingFolder, offTheRecord } = question;
    const { profile, place, remainingTools, isOwners } = this.#parts;
    const reading = profile.read();
    // Who the owner is, is no program's business.
    const told = ({ slot }: { readonly slot: ProfileSlot }) =>
      slot !== ProfileSlot.USER || (isOwners(sessionId) && senderOf(question) === '');
    const folder = await this.#folderText(workingFolder, reading);
    this.#notify([...reading.notices, ...(folder?.notices ?? [])]);
    const own =
      folder === undefined || folder.text === ''
        ? []
        : [{ slot: ProfileSlot.FOLDER_AGENTS, text: folder.text }];
    return create(PromptContextSchema, {
      ...place,
      channel: channelOf(question),
      sender: senderOf(question),
      agentName: 'Bulkhead',
      workingFolder,
      sessionId,
      profile: [...reading.texts.filter(told), ...own],
      offTheRecord,
      remainingTools: offTheRecord ? [...remainingTools] : [],
    });
  }

  /** Folders whose trust ended with a change, each with a line for the person. */
  get changedFolders(): readonly string[] {
    return [...this.#changed.values()];
  }

  /** Only of a folder that a person trusts, and only the bytes they saw. */
  async #folderText(workingFolder: string, { left }: ProfileReading): Promise<PromptText | undefined> {
    const { trust } = this.#parts;
    try {
      const state = await trust.trustOf(workingFolder);
      this.#changed.delete(workingFolder);
      if (state.state === 'changed') {
        const notice = changedText(workingFolder, state.changes);
        this.#changed.set(workingFolder, notice);
        const [oldest] = this.#changed.keys();
        if (this.#changed.size > REMEMBERED && oldest !== undefined) this.#changed.delete(oldest);
        return { text: '', notices: [notice] };
      }
      if (state.state !== 'trusted') return undefined;
      const known = new Set(state.files.map(({ path }) => path));
      const texts = new Map<string, PromptText>();
      let room = left;
      for (const file of INSTRUCTION_FILES) {
        if (!known.has(file)) continue;
        const bytes = await trust.readTrusted(workingFolder, file);
        const one = promptText(`${file} of ${workingFolder}`, bytes, {
          size: bytes.length,
          most: room,
          plain: false,
        });
        room = Math.max(0, room - bytes.length);
        // One is often a copy of the other.
        if (one.text !== '' && ![...texts.values()].some(({ text }) => text === one.text))
          texts.set(file, one);
      }
      return texts.size === 0 ? undefined : joined([...texts.values()]);
    } catch (error) {
      return { text: '', notices: [BulkheadError.from(error).message] };
    }
  }

  async #turn(question: RunQuestion): Promise<TurnContext> {
    const { sessionId, message } = question;
    const { clock, time } = this.#parts;
    const now = clock.now();
    const { chunks, notes, whole } =
      message === '' || senderOf(question) !== '' ? NOTHING : await this.#recall({ sessionId, message, now });
    return create(TurnContextSchema, {
      memory: within(chunks).map(({ path, heading, date, text }) => ({ path, heading, date, text })),
      notes: within(notes).map(({ date, text }) => ({ date, text })),
      wholeMemory: whole ?? '',
      now: time.text(now),
    });
  }

  async #recall(question: Parameters<MemoryRecall['recall']>[0]): Promise<Recollection> {
    const { recall, timers } = this.#parts;
    const late = Promise.withResolvers<Recollection>();
    using _timer = timers.after(RECALL_MS, () => {
      late.reject(new BulkheadError('timeout', `nothing was remembered within ${RECALL_MS / 1_000} s`));
    });
    try {
      return await Promise.race([recall.recall(question), late.promise]);
    } catch (error) {
      this.#parts.onRecallFailure(BulkheadError.from(error));
      return NOTHING;
    }
  }

  /** Each once: the same files are read for every run. */
  #notify(notices: readonly string[]): void {
    for (const notice of notices) if (!this.#told.includes(notice)) this.#parts.onNotice(notice);
    this.#told = notices;
  }
}

function joined(texts: readonly PromptText[]): PromptText {
  return {
    text: texts.map(({ text }) => text).join('\n\n'),
    notices: texts.flatMap(({ notices }) => notices),
  };
}

function changedText(folder: string, changes: readonly TrustChange[]): string {
  const names = changes.slice(0, 3).map(({ path, what }) => `${path} (${what})`);
  const more = changes.length > 3 ? ` and ${changes.length - 3} more` : '';
  return `the instructions of ${folder} are not used since they changed: ${names.join(', ')}${more}. Look at them and trust them: bulkhead trust ${folder}`;
}

/** Where a channel's answers are read, if its name does not say so. */
const READ_IN: ReadonlyMap<string, string> = new Map([
  ['cli', 'terminal'],
  ['tui', 'terminal'],
  ['client', 'terminal'],
  ['acp', 'editor'],
]);

/** Longest name of a sender in the prompt, in characters. */
const MAX_SENDER = 64;

function channelOf({ shownIn, origin }: RunQuestion): string {
  const { channel = 'client' } = origin ?? {};
  return shownIn ?? READ_IN.get(channel) ?? channel;
}

/** Empty for the owner. The name is foreign text: one line, without quotes or hidden characters. */
function senderOf({ origin }: RunQuestion): string {
  if (origin === undefined || origin.sender.id === OWNER_ID) return '';
  const { id, name = id } = origin.sender;
  return inertLine([...name].slice(0, MAX_SENDER).join('')).replaceAll(/["`\\<>]/g, '');
}

export interface EngineMindParts {
  readonly profile: Pick<ProfileTexts, 'read'>;
  readonly trust: Pick<TrustStore, 'trustOf' | 'readTrusted'>;
  readonly recall: MemoryRecall;
  /** False for a session of a program that speaks for itself. */
  isOwners(sessionId: string): boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly time: LocalTime;
  /** Where the agent is, the same for all sessions. */
  readonly place: Pick<PromptContext, 'platform' | 'home' | 'profileFolder' | 'scratchFolder' | 'docsFolder'>;
  /** Names of the tools that still do something off the record. */
  readonly remainingTools: readonly string[];
  onNotice(notice: string): void;
  onRecallFailure(error: BulkheadError): void;
}

/** As many of these texts as there is room for, the first in any case cut to it. */
function within<Text extends { readonly text: string }>(texts: readonly Text[]): Text[] {
  let left = MEMORY_CHARACTERS;
  return texts.flatMap((one) => {
    if (left <= 0) return [];
    const text = one.text.length > left ? `${one.text.slice(0, left).toWellFormed()} [cut]` : one.text;
    left -= text.length;
    return [{ ...one, text }];
  });
}
