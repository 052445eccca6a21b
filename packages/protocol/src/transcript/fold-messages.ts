import type { SessionEvent } from '../events.ts';
import { addItem, changeItem } from './change-item.ts';
import type { MessageItem } from './items.ts';
import { plus } from './spent.ts';
import type { TranscriptView } from './view.ts';

type Event<Type extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: Type }>;

/** The assistant begins to speak. The user's own message comes complete, with its end. */
export function startMessage(view: TranscriptView, event: Event<'message_start'>): TranscriptView {
  if (event.role === 'user') return view;
  const answer = view.items.length;
  const next = addItem(view, event, (place) => ({
    kind: 'message',
    role: 'assistant',
    ...place,
    text: '',
    thinking: '',
    streaming: true,
    missed: false,
  }));
  return { ...next, open: { ...next.open, answer } };
}

/** A delta of an answer whose start was missed is not shown: the finished message will be. */
export function foldDelta(
  view: TranscriptView,
  { type, text }: Event<'text_delta' | 'thinking_delta'>,
): TranscriptView {
  return changeItem(view, view.open.answer, 'message', (item) =>
    type === 'text_delta' ? { ...item, text: item.text + text } : { ...item, thinking: item.thinking + text },
  );
}

/** Marks a missing part of the answer in its place; the finished message will contain it. */
export function foldGap(view: TranscriptView): TranscriptView {
  return changeItem(view, view.open.answer, 'message', (item) => ({ ...item, missed: true }));
}

export function endMessage(view: TranscriptView, event: Event<'message_end'>): TranscriptView {
  const next = event.role === 'user' ? userMessage(view, event) : assistantMessage(view, event);
  return event.entry === undefined ? next : { ...next, leaf: event.entry };
}

function userMessage(view: TranscriptView, event: Event<'message_end'>): TranscriptView {
  const { entry, input, text } = event;
  const next = addItem(view, event, (place) => ({
    kind: 'message',
    role: 'user',
    ...place,
    ...(entry === undefined ? {} : { entry }),
    ...(input === undefined ? {} : { input }),
    before: view.leaf,
    text,
    thinking: '',
    streaming: false,
    missed: false,
  }));
  return input === undefined ? next : withoutWaiting(next, input);
}

function assistantMessage(view: TranscriptView, event: Event<'message_end'>): TranscriptView {
  const { usage, cost = null } = event;
  const begun =
    view.open.answer === undefined ? startMessage(view, { ...event, type: 'message_start' }) : view;
  const ended = changeItem(begun, begun.open.answer, 'message', (item) => finished(item, event));
  const closed = { ...ended, open: { ...ended.open, answer: undefined } };
  if (usage === undefined) return closed;
  return {
    ...closed,
    lastUsage: usage,
    runSpent: plus(closed.runSpent, usage, cost),
  };
}

function finished({ kind, index, time, run, role }: MessageItem, event: Event<'message_end'>): MessageItem {
  const { entry, text, thinking = '', usage, cost, stopReason } = event;
  return {
    kind,
    index,
    time,
    run,
    role,
    ...(entry === undefined ? {} : { entry }),
    text,
    thinking,
    streaming: false,
    missed: false,
    ...(text === '' && thinking === '' ? { blank: true } : {}),
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined ? {} : { cost }),
    ...(stopReason === undefined ? {} : { stopReason }),
  };
}

/** A processed message waits no longer. */
export function withoutWaiting(view: TranscriptView, message: string): TranscriptView {
  const { steer, followUp } = view.queue;
  if (!steer.includes(message) && !followUp.includes(message)) return view;
  const others = (ids: readonly string[]) => ids.filter((id) => id !== message);
  return { ...view, queue: { steer: others(steer), followUp: others(followUp) } };
}
