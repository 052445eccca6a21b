import { TrustState } from '@bulkhead/protocol/client';
import { yesOrNo } from '../../conversation/yes-or-no.ts';
import { showInspection } from '../../trust/folder-lines.ts';
import { settledAlready } from '../../trust/trust-folder.ts';
import type { ChatCommand } from './chat-command.ts';

/** `/trust`: shows what of the folder would count as the person's own, asks, and trusts exactly that. */
export const trustCommand: ChatCommand = {
  name: 'trust',
  about: "use this folder's AGENTS.md, CLAUDE.md and .bulkhead, exactly as they are now; asks first",
  run: async (_argument, { link, folder, output, ask, signal }) => {
    const seen = await link.repeat((client) => client.call('inspectFolder', { folder }, signal), signal);
    const settled = settledAlready(seen);
    if (settled !== undefined) return output.line(`${output.safeLine(seen.folder)} ${settled}`);
    showInspection(seen, output);
    const command = `bulkhead trust ${output.safeLine(seen.folder)}`;
    if (ask === undefined) return output.line(`there is no terminal to ask on; use: ${command}`);
    const question = seen.state === TrustState.CHANGED ? '  trust it again? [y/N] ' : '  trust it? [y/N] ';
    if (yesOrNo((await ask(question)) ?? '') !== true) return output.line('it is not trusted');
    await link.once((client) => client.call('trustFolder', { folder: seen.folder, digest: seen.digest }));
    output.line('it is trusted: its instructions are used from the next message on');
  },
};
