import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Writes the names of running test files to the file in `BULKHEAD_RUNNING_FILE`, so that a hanging
 * one is known after the runner was stopped.
 */
export default class RunningReporter implements Reporter {
  readonly #running = new Set<string>();

  onTestModuleStart(module: TestModule): void {
    this.#running.add(relative(process.cwd(), module.moduleId));
    this.#write();
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(relative(process.cwd(), module.moduleId));
    this.#write();
  }

  #write(): void {
    const file = process.env['BULKHEAD_RUNNING_FILE'];
    if (file !== undefined) writeFileSync(file, [...this.#running].join('\n'));
  }
}
