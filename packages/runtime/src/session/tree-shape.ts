import type { TreeNode } from '@bulkhead/sessions';

const MESSAGE_TYPES: ReadonlySet<string> = new Set(['message_end', 'tool_output']);
/** Marks beside the conversation: its leaf is never one of them alone. */
const BESIDE: ReadonlySet<string> = new Set(['label', 'session_title']);

/** The branches of a session. Marks between messages make no difference: what follows the same message stands side by side. */
export class TreeShape {
  readonly #nodes: readonly TreeNode[];
  readonly #byId = new Map<string, TreeNode>();
  /** Messages by the message they follow; those that begin a conversation by the empty id. */
  readonly #followers = new Map<string, string[]>();
  /** By entry: the nearest message above it. */
  readonly #above = new Map<string, string>();

  /** @param nodes parents first */
  constructor(nodes: readonly TreeNode[]) {
    this.#nodes = nodes;
    for (const node of nodes) this.#add(node);
  }

  #add(node: TreeNode): void {
    const parent = node.parent === null ? undefined : this.#byId.get(node.parent);
    const above = parent === undefined || isMessage(parent) ? parent?.id : this.#above.get(parent.id);
    this.#byId.set(node.id, node);
    this.#above.set(node.id, above ?? '');
    if (!isMessage(node)) return;
    const followers = this.#followers.get(above ?? '') ?? [];
    this.#followers.set(above ?? '', [...followers, node.id]);
  }

  /** All messages that stand where this one does, itself among them; none for one that stands alone, or is no message. */
  siblings(id: string): readonly string[] {
    const node = this.#byId.get(id);
    if (node === undefined || !isMessage(node)) return [];
    const followers = this.#followers.get(this.#above.get(id) ?? '') ?? [];
    return followers.length > 1 ? followers : [];
  }

  /** The newest entry that leads back to this one: where a conversation that went through it stood last. */
  end(id: string): string {
    const below = new Set([id]);
    let end = id;
    for (const { id: each, parent, type } of this.#nodes) {
      if (parent === null || !below.has(parent) || BESIDE.has(type)) continue;
      below.add(each);
      end = each;
    }
    return end;
  }

  /** The entries from `leaf` to the root. */
  path(leaf: string | null): ReadonlySet<string> {
    const path = new Set<string>();
    for (let id = leaf; id !== null; id = this.#byId.get(id)?.parent ?? null) path.add(id);
    return path;
  }
}

function isMessage({ type }: TreeNode): boolean {
  return MESSAGE_TYPES.has(type);
}
