import { fromJson, toJson } from '@bufbuild/protobuf';
import type { Image } from '@bulkhead/protocol/chat';
import { ImageSchema } from '@bulkhead/protocol/chat';
import type { RecordBody } from '@bulkhead/sessions';
import * as z from 'zod';
import type { ApprovalMode } from '../approvals/approver.ts';
import type { ModelChoice } from '../models/model-choice.ts';

/** Longest name of a place where answers are read. */
export const MAX_SHOWN_IN = 32;

/** What happens to a message while a run goes on; without one, each starts a run [L8]. */
export type Delivery = 'follow_up' | 'steer' | 'interrupt' | 'invoke';

export interface InputOptions extends ModelChoice {
  readonly approve: ApprovalMode;
  /** 0: as configured. */
  readonly maxRounds: number;
  /** Actions that change something are described and not done [A5]. */
  readonly dryRun: boolean;
  /** Where the person reads the answer: `web`, say; a terminal if not given. */
  readonly shownIn?: string | undefined;
}

/** One accepted message, as its inbox record keeps it. */
export interface AcceptedInput {
  readonly messageId: string;
  readonly content: string;
  readonly images: readonly Image[];
  readonly delivery: Delivery;
  readonly options: InputOptions;
}

/** A stored message, perhaps by another version: what is missing is the safe choice, what is more is not used. */
const inputSchema = z.object({
  content: z.string(),
  images: z.array(z.json()).catch([]).default([]),
  delivery: z.enum(['follow_up', 'steer', 'interrupt', 'invoke']).catch('follow_up'),
  options: z.object({
    approve: z.enum(['deny', 'ask', 'allow']).catch('deny'),
    model: z.string().catch(''),
    baseUrl: z.string().catch(''),
    maxRounds: z.int().min(0).catch(0),
    // A message of a version that knew no dry runs was none; one that says something unreadable may be.
    dryRun: z.boolean().default(false).catch(true),
    shownIn: z.string().max(MAX_SHOWN_IN).optional().catch(undefined),
  }),
});

/** The body of an `input_accepted` record. */
export function inputBody({ content, images, delivery, options }: AcceptedInput): RecordBody {
  return { content, images: images.map((image) => toJson(ImageSchema, image)), delivery, options };
}

/** @returns undefined for a body that no version known here wrote */
export function readInput(messageId: string, body: RecordBody): AcceptedInput | undefined {
  const parsed = inputSchema.safeParse(body);
  if (!parsed.success) return undefined;
  const { images, ...input } = parsed.data;
  try {
    return { messageId, ...input, images: images.map((image) => fromJson(ImageSchema, image)) };
  } catch {
    return undefined;
  }
}
