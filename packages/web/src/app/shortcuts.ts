export interface Shortcuts {
  readonly palette: () => void;
  readonly newChat: () => void;
  readonly approvals: () => void;
  readonly dismiss: () => void;
}

/** The keys that work on every page, for the list in the help. */
export const shortcutList: readonly { readonly keys: string; readonly does: string }[] = [
  { keys: 'Ctrl K', does: 'search and go anywhere' },
  { keys: 'Alt N', does: 'new chat' },
  { keys: 'Alt A', does: 'approvals' },
  { keys: 'Alt X', does: 'dismiss all notices' },
  { keys: 'Enter', does: 'send; while it works: steer' },
  { keys: 'Alt Enter', does: 'send as the next message' },
  { keys: 'Shift Enter', does: 'new line' },
  { keys: 'Esc', does: 'stop the answer' },
];

/** Runs a key's action, wherever the focus is. */
export function onShortcut(event: KeyboardEvent, does: Shortcuts): void {
  const work = shortcutOf(event, does);
  if (work === undefined) return;
  event.preventDefault();
  work();
}

function shortcutOf({ altKey, code, ctrlKey, metaKey }: KeyboardEvent, does: Shortcuts) {
  if ((ctrlKey || metaKey) && !altKey && code === 'KeyK') return does.palette;
  if (!altKey || ctrlKey || metaKey) return undefined;
  if (code === 'KeyN') return does.newChat;
  if (code === 'KeyX') return does.dismiss;
  return code === 'KeyA' ? does.approvals : undefined;
}
