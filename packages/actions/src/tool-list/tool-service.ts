import type { ToolDescription } from '@bulkhead/protocol';
import type { FlowPolicy, Policy } from '@bulkhead/shield';
import type { ToolGroup } from '@bulkhead/tools';
import { type ToolRule, type ToolTreatment, treatmentOf } from './tool-treatment.ts';
import { toolWords } from './tool-words.ts';

/** A tool, as a person sees it. */
export interface ToolRow extends ReturnType<typeof toolWords>, ToolTreatment {
  readonly name: string;
  readonly group: string;
  readonly groupAbout: string;
  readonly about: string;
  readonly offered: boolean;
  /** Why no model is offered it, and how to change that; empty if one is. */
  readonly notOffered: string;
  /** Every session has it; else the model loads its group when it needs it. */
  readonly fromStart: boolean;
}

/** Tells people which tools there are, and what becomes of their calls. */
export class ToolService {
  readonly #parts: ToolServiceParts;

  constructor(parts: ToolServiceParts) {
    this.#parts = parts;
  }

  /** In the order a model is told of them. */
  list(): { readonly policy: string; readonly tools: readonly ToolRow[] } {
    const policy = this.#parts.policy();
    return { policy: policy.name, tools: this.#parts.tools.map((tool) => this.#row(tool, policy)) };
  }

  #row(tool: ToolDescription, policy: PolicyAndFlow): ToolRow {
    const { groups, off, initialGroups } = this.#parts;
    const { name, group, description } = tool;
    const annotation = policy.flow.tools.get(name);
    const reason = off.get(name);
    return {
      name,
      group,
      groupAbout: groups.find((one) => one.name === group)?.summary ?? '',
      about: description,
      offered: reason === undefined,
      notOffered: reason ?? '',
      fromStart: reason === undefined && initialGroups.includes(group),
      ...toolWords(annotation),
      ...this.#treatment(tool, policy, annotation),
    };
  }

  /** What a machine without a box asks about goes above what policy says, but for what it refuses. */
  #treatment(
    tool: ToolDescription,
    policy: PolicyAndFlow,
    annotation: ReturnType<FlowPolicy['tools']['get']>,
  ) {
    const treatment = treatmentOf(policy, tool, annotation);
    const { commandsAsk } = this.#parts;
    if (commandsAsk === undefined || tool.runsCommand !== true) return treatment;
    const does = 'a person is asked';
    const asked: ToolRule = { name: 'commands', does, reason: commandsAsk, everyCall: true };
    const refusing = treatment.rules.filter((rule) => rule.does === 'refused');
    return { treatment: `always: ${does} (${commandsAsk})`, rules: [...refusing, asked] };
  }
}

type PolicyAndFlow = Policy & { readonly flow: Pick<FlowPolicy, 'tools'> };

export interface ToolServiceParts {
  /** All there are, also those that are off. */
  readonly tools: readonly ToolDescription[];
  readonly groups: readonly ToolGroup[];
  /** Why a tool is not offered, by its name. */
  readonly off: ReadonlyMap<string, string>;
  /** Tool groups a session has from its start. */
  readonly initialGroups: readonly string[];
  /** The policy in force, with what tools do. */
  policy(): PolicyAndFlow;
  /** Why every command needs a person's yes on this machine; undefined if policy decides. */
  readonly commandsAsk: string | undefined;
}
