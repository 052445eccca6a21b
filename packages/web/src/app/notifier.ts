const KEY = 'bulkhead.notify';

/**
 * Notifications of the browser while its window is not looked at, if a person asked for them. They say which tool asks, and
 * nothing of what it would do: they are shown over locked screens.
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

  /** Asks the browser, which asks the person. @returns whether they will be shown */
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
