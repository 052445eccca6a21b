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
import type { TrustStore } from '../trust/trust-store.ts';
import type { LocalTime } from './local-time.ts';
import type { Mind, RunQuestion, Told } from './mind.ts';
import type { MemoryRecall, Recollection } from './recall.ts';

/** A turn doesn't wait longer for memory, milliseconds. */
const RECALL_MS = 2_000;
/** Most of memory and of notes in one turn, in characters: some 4,000 tokens each. */
const MEMORY_CHARACTERS = 16_000;

/** Of how many sessions the last turn part is remembered, for people who ask what it was. */
const REMEMBERED = 32;

const FOLDER_FILE = 'AGENTS.md';
const NOTHING: Recollection = { chunks: [], notes: [] };

/** The prompt facts of this engine's agents: profile, trusted working folder, memory and time. */
export class EngineMind implements Mind {
  readonly #parts: EngineMindParts;
  readonly #turns = new Map<string, TurnContext>();
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
    const own = folder === undefined ? [] : [{ slot: ProfileSlot.FOLDER_AGENTS, text: folder.text }];
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

  /** Only of a folder that a person trusts, and only the bytes they saw. */
  async #folderText(workingFolder: string, { left }: ProfileReading): Promise<PromptText | undefined> {
    const { trust } = this.#parts;
    try {
      const state = await trust.trustOf(workingFolder);
      if (state.state !== 'trusted' || !state.files.some(({ path }) => path === FOLDER_FILE))
        return undefined;
      const bytes = await trust.readTrusted(workingFolder, FOLDER_FILE);
      const name = `${FOLDER_FILE} of ${workingFolder}`;
      return promptText(name, bytes, { size: bytes.length, most: left, plain: false });
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
