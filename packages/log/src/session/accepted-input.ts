import { fromJson, toJson } from '@bufbuild/protobuf';
import type { ApprovalMode, Origin } from '@bulkhead/protocol';
import { type Attachment, AttachmentSchema, type Image, ImageSchema } from '@bulkhead/protocol/chat';
import type { ClientTool, Delivery, InputBody } from '@bulkhead/protocol/records';

/** Longest name of a place where answers are read. */
export const MAX_SHOWN_IN = 32;

/**
 * The model that a run may use instead of the configured one. Empty strings mean the configured
 * one.
 */
export interface ModelChoice {
  /** `provider/model` */
  readonly model: string;
  readonly baseUrl: string;
}

/** The configured model, or what stands in for it. */
export const CONFIGURED: ModelChoice = { model: '', baseUrl: '' };

export interface InputOptions extends ModelChoice {
  readonly approve: ApprovalMode;
  /** 0: as configured. */
  readonly maxRounds: number;
  /** Actions that change something are described and not done [A5]. */
  readonly dryRun: boolean;
  /** Tools of the sender's, for the run of this message; none if absent. */
  readonly clientTools?: readonly ClientTool[];
  /** Where the person reads the answer: `web`, say; a terminal if not given. */
  readonly shownIn?: string | undefined;
}

/** One accepted message, as its inbox record keeps it. */
export interface AcceptedInput {
  readonly messageId: string;
  readonly content: string;
  readonly images: readonly Image[];
  /** Attached text files, by any author; none if absent. */
  readonly attachments?: readonly Attachment[];
  readonly delivery: Delivery;
  /** Absent where it is unknown: for a message of an earlier version. */
  readonly origin?: Origin;
  readonly options: InputOptions;
}

/** The body of an `input_accepted` record. */
export function inputBody(input: AcceptedInput): InputBody {
  const { content, images, attachments = [], delivery, origin, options } = input;
  const files = attachments.map((file) => toJson(AttachmentSchema, file));
  const { shownIn, ...asked } = options;
  return {
    content,
    images: images.map((image) => toJson(ImageSchema, image)),
    ...(files.length === 0 ? {} : { attachments: files }),
    delivery,
    ...(origin === undefined ? {} : { origin }),
    options: { ...asked, ...(shownIn === undefined ? {} : { shownIn }) },
  };
}

/**
 * A stored message, perhaps of an earlier version: what is missing is the safe choice.
 *
 * @returns undefined for one whose images or files no version known here wrote
 */
export function readInput(messageId: string, body: InputBody): AcceptedInput | undefined {
  const { content, images = [], attachments = [], delivery = 'follow_up', origin, options } = body;
  try {
    const files = attachments.map((file) => fromJson(AttachmentSchema, file));
    return {
      messageId,
      content,
      delivery,
      ...(origin === undefined ? {} : { origin }),
      options: optionsOf(options),
      images: images.map((image) => fromJson(ImageSchema, image)),
      ...(files.length === 0 ? {} : { attachments: files }),
    };
  } catch {
    return undefined;
  }
}

function optionsOf(options: InputBody['options']): InputOptions {
  const { approve = 'deny', model = '', baseUrl = '', maxRounds = 0, dryRun = false } = options;
  const { clientTools, shownIn = '' } = options;
  return {
    approve,
    model,
    baseUrl,
    maxRounds: Number.isSafeInteger(maxRounds) ? Math.max(0, maxRounds) : 0,
    // A message of a version that knew no dry runs was none.
    dryRun,
    ...(clientTools === undefined ? {} : { clientTools }),
    shownIn: shownIn === '' || shownIn.length > MAX_SHOWN_IN ? undefined : shownIn,
  };
}

/** Of a name in the audit log, in characters: it is foreign text. */
const MAX_NAME = 64;

/** The origin of a message, for entries of the audit log. */
export function originDetails(origin: Origin | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return {};
  const { channel, chat, sender, profile } = origin;
  return {
    channel,
    ...(chat === undefined ? {} : { chat: chat.slice(0, MAX_NAME) }),
    sender: sender.id,
    ...(sender.name === undefined ? {} : { senderName: sender.name.slice(0, MAX_NAME) }),
    profile,
  };
}
