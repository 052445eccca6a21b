import { ProfileSlot } from '@bulkhead/protocol/agent';

/** A file of a profile that the prompt is made of. */
export interface ProfileFile {
  readonly name: string;
  readonly slot: ProfileSlot;
  /** True if its Markdown is only for the eye: it is shown in plain lines. */
  readonly plain: boolean;
}

/** In the order in which they share what a profile may have; `AGENTS.md` of a working folder takes what is left. */
export const PROFILE_FILES: readonly ProfileFile[] = [
  { name: 'SYSTEM.md', slot: ProfileSlot.SYSTEM, plain: false },
  { name: 'SOUL.md', slot: ProfileSlot.SOUL, plain: true },
  { name: 'IDENTITY.md', slot: ProfileSlot.IDENTITY, plain: true },
  { name: 'USER.md', slot: ProfileSlot.USER, plain: true },
  { name: 'AGENTS.md', slot: ProfileSlot.AGENTS, plain: false },
  { name: 'APPEND.md', slot: ProfileSlot.APPENDED, plain: false },
];

/** Most of a profile that a prompt holds, bytes of UTF-8: some 16,000 tokens. */
export const PROFILE_BYTES = 64 * 1024;
