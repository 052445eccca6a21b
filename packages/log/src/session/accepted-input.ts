import { fromJson, toJson } from '@bufbuild/protobuf';
import { APPROVAL_MODES, type ApprovalMode } from '@bulkhead/protocol';
import { type Attachment, AttachmentSchema, type Image, ImageSchema } from '@bulkhead/protocol/chat';
import type { RecordBody } from '@bulkhead/sessions';
import * as z from 'zod';

/** Longest name of a place where answers are read. */
export const MAX_SHOWN_IN = 32;

/** What a run may ask for instead of the configured model. Empty strings mean the configured one. */
export interface ModelChoice {
  /** `provider/model` */
  readonly model: string;
  readonly baseUrl: string;
}

/** The configured model, or what stands in for it. */
export const CONFIGURED: ModelChoice = { model: '', baseUrl: '' };

/** A tool of the program that sent a message. Whoever reads one knows that it was checked. */
export interface ClientTool {
  /** As its program calls it. */
  readonly name: string;
  readonly description: string;
  /** JSON text; empty for any arguments. */
  readonly inputSchemaJson: string;
}

/** What happens to a message while a run goes on; without one, each starts a run [L8]. */
export type Delivery = 'follow_up' | 'steer' | 'interrupt' | 'invoke';

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
  /** Text files that go with it, whoever wrote what is in them; none if absent. */
  readonly attachments?: readonly Attachment[];
  readonly delivery: Delivery;
  readonly options: InputOptions;
}

const clientTool = z.object({ name: z.string(), description: z.string(), inputSchemaJson: z.string() });

/** A stored message, perhaps by another version: what is missing is the safe choice, what is more is not used. */
const inputSchema = z.object({
  content: z.string(),
  images: z.array(z.json()).catch([]).default([]),
  attachments: z.array(z.json()).catch([]).default([]),
  delivery: z.enum(['follow_up', 'steer', 'interrupt', 'invoke']).catch('follow_up'),
  options: z.object({
    approve: z.enum(APPROVAL_MODES).catch('deny'),
    model: z.string().catch(''),
    baseUrl: z.string().catch(''),
    maxRounds: z.int().min(0).catch(0),
    // A message of a version that knew no dry runs was none; one that says something unreadable may be.
    dryRun: z.boolean().default(false).catch(true),
    clientTools: z.array(clientTool).exactOptional().catch([]),
    shownIn: z.string().max(MAX_SHOWN_IN).optional().catch(undefined),
  }),
});

/** The body of an `input_accepted` record. */
export function inputBody(input: AcceptedInput): RecordBody {
  const { content, images, attachments = [], delivery, options } = input;
  const files = attachments.map((file) => toJson(AttachmentSchema, file));
  return {
    content,
    images: images.map((image) => toJson(ImageSchema, image)),
    ...(files.length === 0 ? {} : { attachments: files }),
    delivery,
    options,
  };
}

/** @returns undefined for a body that no version known here wrote */
export function readInput(messageId: string, body: RecordBody): AcceptedInput | undefined {
  const parsed = inputSchema.safeParse(body);
  if (!parsed.success) return undefined;
  const { images, attachments, ...input } = parsed.data;
  try {
    const files = attachments.map((file) => fromJson(AttachmentSchema, file));
    return {
      messageId,
      ...input,
      images: images.map((image) => fromJson(ImageSchema, image)),
      ...(files.length === 0 ? {} : { attachments: files }),
    };
  } catch {
    return undefined;
  }
}
