/** What a person is told when the connection to the engine is lost, and when there is one again. */
export function connectionNote(connection: 'lost' | 'back'): string {
  return connection === 'lost' ? '… the engine is away, trying again' : '… the engine is back';
}
