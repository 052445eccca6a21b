/** One tool call of a scripted reply. */
export interface ScriptedToolCall {
  readonly name: string;
  /** Rendered as JSON. */
  readonly args?: unknown;
  /** Sent unchanged instead of `args`: for arguments that don't parse. */
  readonly rawArgs?: string;
  /**
   * Default `call_1`, `call_2`, … in this reply. Repeat one to get duplicate ids; `''` sends an
   * empty id.
   */
  readonly id?: string;
}

/** Tokens as the reply reports them. `input` counts the cached ones too, in every wire format. */
export interface ScriptedUsage {
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly reasoning?: number;
}

/** An HTTP answer instead of a stream. */
export interface ScriptedHttpError {
  readonly status: number;
  /**
   * A string is sent unchanged, anything else as JSON. Without one, `message`, `type` and `code`
   * are sent in the wire format's own shape.
   */
  readonly body?: unknown;
  readonly message?: string;
  /** Default: the provider's usual one for this status. */
  readonly type?: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One answer of the scripted server. Thinking comes first, then text, then tool calls, then the
 * stop reason and the usage. A "chunk" is one server-sent event, or one line where the format has
 * lines (Ollama).
 */
export interface ScriptedReply {
  /** One delta for each element; a plain string is one delta. */
  readonly text?: string | readonly string[];
  readonly thinking?: string | readonly string[];
  /**
   * Data that the provider needs back with the thinking: signature of the block (Anthropic),
   * encrypted content (Responses), thought signature of the first call or else the text (Gemini).
   */
  readonly signature?: string;
  /** Anthropic only: data of a redacted thinking block, sent before the thinking. */
  readonly redactedThinking?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /**
   * Stop reason in the wire format's terms (Responses: `completed`, or the reason why it is
   * incomplete); `null` ends the stream without one.
   */
  readonly stopReason?: string | null;
  /** `null` sends none. */
  readonly usage?: ScriptedUsage | null;
  readonly error?: ScriptedHttpError;
  /** An error event in the stream, after this many chunks; the stream ends there. */
  readonly errorEvent?: { readonly afterChunks: number; readonly body: unknown };
  /** Text put into the stream as the data of one event, after this many chunks. */
  readonly malformed?: { readonly afterChunks: number; readonly data: string };
  /**
   * Sends nothing more from this point, but keeps the connection; with `keepAlive`, sends the
   * format's keep-alive.
   */
  readonly stall?:
    | 'before-first-byte'
    | 'keep-alive-only'
    | { readonly afterChunks: number; readonly keepAlive?: boolean };
  /** Destroys the socket after this many chunks or bytes of the body. */
  readonly cut?: { readonly afterChunks: number } | { readonly afterBytes: number };
  /** Milliseconds before the first byte. */
  readonly delayMs?: number;
  /** Milliseconds between two chunks. */
  readonly chunkDelayMs?: number;
  /** Writes the body in pieces: cut at these byte offsets, or every so many bytes. */
  readonly split?: readonly number[] | { readonly everyBytes: number };
  /** Default: the wire format's. */
  readonly contentType?: string;
  /**
   * Many equal text deltas, rendered once and written as prepared blocks: for measuring the reader.
   * `perWrite` (default 1) is how many deltas travel together.
   */
  readonly repeat?: { readonly text: string; readonly count: number; readonly perWrite?: number };
}

/**
 * `openai` is chat completions, `responses` OpenAI's Responses API, `google` Gemini's
 * `streamGenerateContent`.
 */
export type WireFormat = 'openai' | 'anthropic' | 'responses' | 'google' | 'ollama';

/** A received request, as far as readable. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
  readonly bodyText: string;
  /** Size of the body. */
  readonly bytes: number;
  readonly format: WireFormat | 'models' | 'tags' | 'unknown';
  /** The client's end of the connection: requests over one connection share it. */
  readonly clientPort: number;
  /** Settles at the end of the exchange: true if the client left before the complete answer. */
  readonly disconnected: Promise<boolean>;
}

export type ScriptHandler = (
  request: RecordedRequest,
  index: number,
) => ScriptedReply | Promise<ScriptedReply>;

/** Replies in order, or a function that builds one per request. */
export type Script = readonly ScriptedReply[] | ScriptHandler;
