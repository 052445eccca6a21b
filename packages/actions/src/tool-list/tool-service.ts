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
  /** Why no model receives it, and how to change that; empty if models do. */
  readonly notOffered: string;
  /** Every session has it from its start; otherwise the model loads its group on demand. */
  readonly fromStart: boolean;
}

/** Lists the tools for people, and how calls of them are treated. */
export class ToolService {
  readonly #parts: ToolServiceParts;

  constructor(parts: ToolServiceParts) {
    this.#parts = parts;
  }

  /** In the order of the model's tool list. */
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

  /** Without a sandbox, the machine's question overrides the policy, except for a refusal. */
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
  /** All tools, including disabled ones. */
  readonly tools: readonly ToolDescription[];
  readonly groups: readonly ToolGroup[];
  /** Why a tool is not offered, by its name. */
  readonly off: ReadonlyMap<string, string>;
  /** Tool groups that a session has from its start. */
  readonly initialGroups: readonly string[];
  /** The policy in force, with tool annotations. */
  policy(): PolicyAndFlow;
  /**
   * Why every command needs a person's approval on this machine; undefined if the policy decides.
   */
  readonly commandsAsk: string | undefined;
}
