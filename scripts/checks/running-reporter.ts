import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Keeps the names of running test files and of failed cases in the file `BULKHEAD_RUNNING_FILE`, so
 * that both are known after the runner was stopped: its own reports come only at the end.
 */
export default class RunningReporter implements Reporter {
  readonly #running = new Set<string>();
  readonly #failed: string[] = [];
  #ended = 0;

  onTestModuleStart(module: TestModule): void {
    this.#running.add(nameOf(module));
    this.#write();
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state !== 'failed') return;
    this.#failed.push(`${nameOf(test.module)} > ${test.fullName}: ${firstLine(errors)}`);
    this.#write();
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(nameOf(module));
    this.#ended += 1;
    // Errors outside of cases: the file could not be loaded, or a hook failed.
    const errors = module.errors();
    if (errors.length > 0) this.#failed.push(`${nameOf(module)}: ${firstLine(errors)}`);
    this.#write();
  }

  #write(): void {
    const file = process.env['BULKHEAD_RUNNING_FILE'];
    if (file === undefined) return;
    const lines = [
      `Test files that have ended: ${this.#ended}. Still running:`,
      ...[...this.#running].map((name) => `  ${name}`),
      `Failed cases: ${this.#failed.length}`,
      ...this.#failed.map((name) => `  ${name}`),
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
  }
}

function nameOf(module: TestModule): string {
  return relative(process.cwd(), module.moduleId);
}

function firstLine(errors: readonly { readonly message: string }[] | undefined): string {
  return errors?.[0]?.message.split('\n')[0] ?? '';
}
