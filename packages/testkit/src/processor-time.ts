/** Milliseconds that `referenceWork` takes on the machine of docs/proof.md. */
const REFERENCE_MS = 20;
const TRIES = 3;

/**
 * Measures CPU time of this thread, in milliseconds, so that other programs on the machine hardly
 * count. Tries again while it takes `limitMs` or longer: a slow moment passes, slow code does not.
 */
export function processorMs(work: () => void, limitMs = 0): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && best >= limitMs; tries += 1) {
    const start = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/**
 * Measures how many times slower this machine is than the one of docs/proof.md, at least 1. A
 * promise in milliseconds holds there; a test multiplies its bound by this.
 */
export function slowness(): number {
  return Math.max(1, processorMs(referenceWork) / REFERENCE_MS);
}

/**
 * Measures how many times longer work takes here and now than on the idle machine of docs/proof.md,
 * other programs included, at least 1. For promises in milliseconds between processes; those of one
 * thread use `slowness`.
 */
export function busyness(): number {
  const start = performance.now();
  for (let tries = 0; tries < TRIES; tries += 1) referenceWork();
  return Math.max(1, (performance.now() - start) / TRIES / REFERENCE_MS);
}

/** Allocation, hashing, arithmetic and sorting, in a fixed amount. */
function referenceWork(): void {
  const counts = new Map<string, number>();
  let seed = 1;
  for (let round = 0; round < 300_000; round += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const word = `w${seed % 4_096}`;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  if ([...counts.keys()].sort().length !== 4_096) throw new Error('the reference does other work');
}
