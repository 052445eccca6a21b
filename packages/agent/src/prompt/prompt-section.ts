import { create } from '@bufbuild/protobuf';
import { type ProfileSlot, type PromptContext, PromptContextSchema } from '@bulkhead/protocol/agent';

/** The facts a section may use; they never change within a session. */
export interface PromptFacts extends Omit<PromptContext, '$typeName' | '$unknown'> {
  /** Names of all groups of tools that can be loaded. */
  readonly groups: readonly string[];
}

/** A named piece of the system prompt. */
export interface PromptSection {
  readonly name: string;
  /**
   * Depends on the facts alone: no date, no counters, otherwise the provider's prefix cache is lost
   * [C5].
   * @returns empty if it has no content; then it costs nothing
   */
  render(facts: PromptFacts): string;
}

/** @param context undefined counts as all empty */
export function promptFacts(
  context: PromptContext | undefined,
  groups: readonly { readonly name: string }[] = [],
): PromptFacts {
  return { ...(context ?? create(PromptContextSchema)), groups: groups.map(({ name }) => name) };
}

/** The text of a slot; empty if there is none. */
export function profileText({ profile }: Pick<PromptFacts, 'profile'>, slot: ProfileSlot): string {
  return profile.find((text) => text.slot === slot)?.text.trim() ?? '';
}
