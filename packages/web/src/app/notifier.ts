const KEY = 'bulkhead.notify';

/**
 * Browser notifications while its window is in the background, if a person enabled them. They name
 * the tool that asks, but not the action, because locked screens show them.
 */
export class Notifier {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get isAvailable(): boolean {
    return 'Notification' in globalThis;
  }

  get isOn(): boolean {
    return this.isAvailable && Notification.permission === 'granted' && this.#storage.getItem(KEY) === 'on';
  }

  /** Asks the browser, which asks the person. @returns true if notifications will be shown */
  async turnOn(): Promise<boolean> {
    if (!this.isAvailable || (await Notification.requestPermission()) !== 'granted') return false;
    this.#storage.setItem(KEY, 'on');
    return true;
  }

  turnOff(): void {
    this.#storage.removeItem(KEY);
  }

  tell(tool: string, session: string): void {
    if (!this.isOn || document.visibilityState === 'visible') return;
    const notification = new Notification('Bulkhead needs your approval', {
      body: `for ${tool}`,
      tag: session,
    });
    notification.addEventListener('click', () => window.focus());
  }
}
