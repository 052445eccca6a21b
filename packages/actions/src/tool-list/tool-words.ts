import type { EffectKind, Sink, ToolAnnotation, Writer } from '@bulkhead/protocol';

/** What calls of a kind do. */
const EFFECTS: Readonly<Record<EffectKind, string>> = {
  read: 'looks, and changes nothing',
  fetch: 'gets something from elsewhere',
  send: 'sends something to somebody',
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

/** Where what a call carries goes. */
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

/** Who can write what a call gives back. */
const WRITERS: Readonly<Record<Writer, string>> = {
  user: 'you alone',
  workspace: 'whoever works in the folder',
  service: 'the tool alone',
  external: 'anybody',
};

/** What a tool does, as the judges know it, in words for a person. Of a tool that nobody described, the worst is said. */
export function toolWords(annotation: ToolAnnotation | undefined): {
  readonly effect: string;
  readonly wayOut: string;
  readonly writtenBy: string;
} {
  if (annotation === undefined)
    return {
      effect: 'nobody said what it does',
      wayOut: 'nobody said where it goes',
      writtenBy: WRITERS.external,
    };
  const { effect, sink, result } = annotation;
  return { effect: EFFECTS[effect], wayOut: WAYS_OUT[sink], writtenBy: WRITERS[result.writer] };
}
