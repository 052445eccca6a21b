import type { ModelCall } from '@bulkhead/protocol';
import { composeAnswer } from './answer-text.ts';
import { carryOut } from './carry-out.ts';
import { parseRequest } from './parse-request.ts';
import { type MadeCall, type RunView, type ToolOutcome, viewRun } from './run-view.ts';
import type { ToolWish } from './task.ts';

/** Tools whose result stays valid until a change. */
const LOOKING: ReadonlySet<string> = new Set(['ls', 'read', 'find', 'grep']);
/** Limits every run: with the answer it takes at most one round more. */
const MOST_CALLS = 7;
const LOAD_TOOLS = 'load_tools';

export type Step =
  | {
      readonly kind: 'call';
      readonly say: string;
      readonly name: string;
      readonly argumentsJson: string;
      readonly callId: string;
    }
  | { readonly kind: 'answer'; readonly text: string };

/**
 * The next step of a run: a pure function of the conversation. It replays the request from its
 * start over the known outcomes, up to the first call without one.
 */
export function planStep(call: Pick<ModelCall, 'messages' | 'tools' | 'forbidTools'>): Step {
  const view = viewRun(call.messages, call.forbidTools);
  const tools = new Set(call.tools.map((tool) => tool.name));
  const made = view.calls.filter((entry) => entry.tool !== LOAD_TOOLS);
  const play = carryOut(parseRequest(view.request), { file: view.subject, folder: '.' });
  const known = new Map<string, ToolOutcome>();
  let position = 0;
  let turn = play.next();
  while (!turn.done) {
    const wish = turn.value;
    const key = JSON.stringify([wish.tool, wish.args]);
    const past = made[position];
    const outcome = known.get(key) ?? (past?.tool === wish.tool ? pastOutcome(past) : undefined);
    if (outcome !== undefined) {
      if (!known.has(key)) position += 1;
      if (!LOOKING.has(wish.tool)) known.clear();
      else known.set(key, outcome);
      turn = play.next(outcome);
      continue;
    }
    const obstacle = obstacleTo(wish, view.calls, tools, call.forbidTools);
    if (obstacle === undefined) return toolStep(wish, view);
    if (obstacle === 'not loaded') return loadStep(wish, view);
    turn = play.next(obstacle);
  }
  return { kind: 'answer', text: composeAnswer(turn.value) };
}

function pastOutcome(call: MadeCall): ToolOutcome {
  return call.outcome ?? { text: 'the call gave no result', isError: true };
}

function obstacleTo(
  wish: ToolWish,
  calls: readonly MadeCall[],
  tools: ReadonlySet<string>,
  forbidTools: boolean,
): ToolOutcome | 'not loaded' | undefined {
  if (forbidTools) return { text: 'no more tool calls are allowed in this run', isError: true };
  if (calls.length >= MOST_CALLS)
    return { text: `this would take more than ${MOST_CALLS} tool calls`, isError: true };
  if (tools.has(wish.tool)) return undefined;
  const tries = calls.filter((entry) => entry.tool === LOAD_TOOLS);
  if (tools.has(LOAD_TOOLS) && tries.length < 2 && tries.every((entry) => entry.outcome?.isError !== true))
    return 'not loaded';
  const reason = tries.find((entry) => entry.outcome?.isError === true)?.outcome?.text;
  return { text: reason ?? `the tool ${wish.tool} is not available`, isError: true };
}

function toolStep(wish: ToolWish, view: RunView): Step {
  const argumentsJson = JSON.stringify(wish.args);
  return { kind: 'call', say: wish.say, name: wish.tool, argumentsJson, callId: nextCallId(view) };
}

function loadStep(wish: ToolWish, view: RunView): Step {
  const groups = [wish.tool === 'bash' ? 'shell' : 'files'];
  const say = `I load the tools for that.`;
  return {
    kind: 'call',
    say,
    name: LOAD_TOOLS,
    argumentsJson: JSON.stringify({ groups }),
    callId: nextCallId(view),
  };
}

function nextCallId(view: RunView): string {
  let count = view.usedCallIds.size + 1;
  while (view.usedCallIds.has(`offline_${count}`)) count += 1;
  return `offline_${count}`;
}
