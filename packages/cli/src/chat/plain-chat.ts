import { tellSandbox } from '../conversation/sandbox-banner.ts';
import { tellUnusedKeys } from '../conversation/shell-keys.ts';
import { tellMode } from '../conversation/tell-mode.ts';
import type { Environment } from '../environment.ts';
import { homeOf } from '../home.ts';
import { chatNotices } from '../notices.ts';
import { openEngine } from '../open-engine.ts';
import { Output } from '../output/output.ts';
import { Chat } from './chat.ts';
import type { ChatRequest } from './chat-request.ts';

/** The chat in lines of text, as in a pipe. @returns the exit code */
export async function plainChat(request: ChatRequest, environment: Environment): Promise<number> {
  const { insecureNoSandbox, session } = request;
  const { signal } = new AbortController();
  const { link } = await openEngine(homeOf(environment), environment, { insecureNoSandbox, signal });
  using _link = link;
  const status = await link.once((client) => client.call('status', {}));
  const stderr = new Output(environment.stderr, environment.env);
  tellSandbox(status, insecureNoSandbox, stderr);
  tellUnusedKeys(status, environment.env, stderr);
  tellMode(request, stderr);
  for (const notice of chatNotices(status.notices)) stderr.line(`note: ${stderr.safe(notice)}`);
  return await new Chat({ ...request, link, environment, model: status.model }).run(session);
}
