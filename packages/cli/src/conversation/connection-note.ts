/** The notes on a lost connection to the engine, and on a new one. */
export function connectionNote(connection: 'lost' | 'back'): string {
  return connection === 'lost' ? '… connection lost, retrying' : '… reconnected';
}
