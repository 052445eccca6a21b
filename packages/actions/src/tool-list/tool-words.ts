import type { EffectKind, Sink, ToolAnnotation, Writer } from '@bulkhead/protocol';

/** The effect of calls of each kind. */
const EFFECTS: Readonly<Record<EffectKind, string>> = {
  read: 'looks, and changes nothing',
  fetch: 'gets something from elsewhere',
  send: 'sends data to other people',
  share: 'lets others see or change something',
  publish: 'makes something public',
  pay: 'pays',
  book: 'books or orders something',
  create: 'makes something new',
  change: 'changes something that is there',
  delete: 'deletes something',
  execute: 'runs a command or code',
  schedule: 'has something happen later',
  delegate: 'has another agent do something',
  remember: 'keeps something for later sessions',
  configure: 'changes settings',
  account: 'changes an account',
};

/** The destination of a call's data. */
const WAYS_OUT: Readonly<Record<Sink, string>> = {
  none: 'stays on this machine',
  network: 'can reach the internet',
  mail: 'leaves by mail',
  message: 'leaves as a message',
  browser: 'leaves through a browser',
  git: 'leaves by a push',
  mcp: 'goes to another program',
  shell: 'leaves only to hosts that the call names',
  agent: 'goes to another agent',
  model: 'goes to a model',
};

/** Who can write the data that a call returns. */
const WRITERS: Readonly<Record<Writer, string>> = {
  user: 'you alone',
  workspace: 'everyone who works in the folder',
  service: 'the tool alone',
  external: 'anybody',
};

/**
 * Describes a tool for a person, from its annotation. For a tool without annotation, it assumes the
 * worst.
 */
export function toolWords(annotation: ToolAnnotation | undefined): {
  readonly effect: string;
  readonly wayOut: string;
  readonly writtenBy: string;
} {
  if (annotation === undefined)
    return {
      effect: 'effect unknown',
      wayOut: 'target unknown',
      writtenBy: WRITERS.external,
    };
  const { effect, sink, result } = annotation;
  return { effect: EFFECTS[effect], wayOut: WAYS_OUT[sink], writtenBy: WRITERS[result.writer] };
}
