/**
 * One step of the set-up, told to whoever waits: on a terminal one line that ticks, elsewhere a line at the
 * start, one every ten seconds and one at the end.
 *
 * @param {import('node:tty').WriteStream | { write(text: string): unknown, isTTY?: boolean }} stream Where to tell it.
 * @param {string} label What is being done, such as `Installing dependencies`.
 * @returns {{ end(outcome: string): void }} `end` stops the ticking and says how it ended.
 */
export function startStep(stream, label) {
  const started = performance.now();
  const seconds = (/** @type {number} */ digits) => ((performance.now() - started) / 1000).toFixed(digits);
  const terminal = stream.isTTY === true;
  if (terminal) stream.write(`${label} …`);
  else stream.write(`${label} …\n`);
  const timer = setInterval(
    () => stream.write(terminal ? `\r\u001b[K${label} … ${seconds(0)} s` : `${label} … ${seconds(0)} s\n`),
    terminal ? 500 : 10_000,
  );
  return {
    end(outcome) {
      clearInterval(timer);
      stream.write(`${terminal ? '\r\u001b[K' : ''}${label}: ${outcome} (${seconds(1)} s)\n`);
    },
  };
}
