import * as z from 'zod';

/** Version of a stored loss. A reader refuses others. */
const LOSS_VERSION = 1;
/** Most named messages and actions of one session; beyond it, only their number is given. */
export const MAX_NAMED = 200;

const lostAction = z.object({
  action: z.string(),
  tool: z.string(),
  hash: z.string(),
  /** By what the action is known when it is proposed again. */
  likeness: z.string(),
  /** The last step that the audit log has: STARTED, EXECUTED or FAILED. */
  step: z.string(),
  /** The paths it was to read or write, from its PROPOSED entry. */
  paths: z.array(z.string()),
});

const lossSchema = z.object({
  v: z.literal(LOSS_VERSION),
  /** The position up to which the log was on the disk, as the audit log says. */
  logged: z.number(),
  /** The last position that the log has; null if there is no such session. */
  has: z.number().nullable(),
  messages: z.array(z.string()),
  actions: z.array(lostAction),
  /** Messages and actions that are not named. */
  more: z.number(),
});

export type LostAction = z.infer<typeof lostAction>;

/** Entries that the audit log names and the log of a session lacks. */
export type Loss = Omit<z.infer<typeof lossSchema>, 'v'>;

export function lossText(loss: Loss): string {
  return JSON.stringify({ v: LOSS_VERSION, ...loss });
}

/** @returns undefined for a text that this version can't read */
export function readLoss(text: string): Loss | undefined {
  try {
    return lossSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** For a person: what is missing, in one line. */
export function describeLoss(sessionId: string, loss: Loss | undefined): string {
  if (loss === undefined) return `session ${sessionId} lost records; another version noted the missing ones`;
  const { logged, has, messages, actions, more } = loss;
  const extent =
    has === null
      ? `is missing as a whole (the audit log names ${logged} records)`
      : logged > has
        ? `lost its records ${has + 1} to ${logged}`
        : 'lost records after a loss that was accepted';
  const named = [
    ...messages.map((id) => `message ${id}`),
    ...actions.map(({ action, tool, step, paths }) =>
      [`action ${action} (${tool}, ${step}`, paths.length === 0 ? ')' : `: ${paths.join(', ')})`].join(''),
    ),
    ...(more > 0 ? [`${more} more`] : []),
  ];
  return `session ${sessionId} ${extent}${named.length === 0 ? '' : `: ${named.join('; ')}`}`;
}
