import type { ScriptedToolCall } from './script.ts';

/**
 * A server-sent event without a name.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** A server-sent event whose name is the `type` of its data, as Anthropic sends it. */
export function typedEvent(data: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** One line of newline-delimited JSON. */
export function jsonLine(data: unknown): string {
  return `${JSON.stringify(data)}\n`;
}

/** The deltas of a text given as one string or as a list. */
export function deltasOf(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === 'string' ? [text] : text;
}

export function argumentsOf(call: ScriptedToolCall): string {
  return call.rawArgs ?? JSON.stringify(call.args ?? {});
}

/** Cuts a text in two, so that arguments arrive in more than one piece. */
export function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return text.length < 2 ? [text] : [text.slice(0, middle), text.slice(middle)];
}

/** A call's arguments for a format with objects: text that is not an object is sent as text. */
export function argumentValue(call: ScriptedToolCall): unknown {
  if (call.rawArgs === undefined) return call.args ?? {};
  try {
    const value: unknown = JSON.parse(call.rawArgs);
    return value;
  } catch {
    return call.rawArgs;
  }
}
