/** The notes on a lost connection to the engine, and on a new one. */
export function connectionNote(connection: 'lost' | 'back'): string {
  return connection === 'lost' ? '… the engine is away, trying again' : '… the engine is back';
}
