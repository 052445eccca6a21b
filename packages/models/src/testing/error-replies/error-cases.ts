import { ANTHROPIC_ERRORS } from './anthropic.ts';
import type { ErrorCase } from './error-case.ts';
import { GOOGLE_ERRORS } from './google.ts';
import { OLLAMA_ERRORS } from './ollama.ts';
import { OPENAI_ERRORS } from './openai.ts';
import { OPENAI_COMPATIBLE_ERRORS } from './openai-compatible.ts';
import { OPENROUTER_ERRORS } from './openrouter.ts';

/** Every error answer of every provider. */
export const ERROR_CASES: readonly ErrorCase[] = [
  ...ANTHROPIC_ERRORS,
  ...GOOGLE_ERRORS,
  ...OLLAMA_ERRORS,
  ...OPENAI_ERRORS,
  ...OPENAI_COMPATIBLE_ERRORS,
  ...OPENROUTER_ERRORS,
];
