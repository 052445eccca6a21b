import { LABEL } from '../../effects/labels.ts';
import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../text.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, runOption, valuesFor } from './option-values.ts';

/** Settings of git that name a program or a file that is obeyed. */
const RUNNING_SETTINGS =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|attributesfile|worktree)|pager\..+|alias\..+|diff\.external|diff\..+\.(?:command|textconv)|difftool\..+|mergetool\..+|merge\..+\.driver|filter\..+|sequence\.editor|credential\.helper|credential\..+\.helper|gpg\..*program|gpg\.program|gpg\.ssh\.defaultkeycommand|interactive\.difffilter|init\.templatedir|include\.path|includeif\..+|uploadpack\..+|receive\..+|remote\..+\.(?:uploadpack|receivepack|vcs)|protocol\..*allow|url\..+\.insteadof|http\.(?:proxy|sslverify|cookiefile)|sendemail\..+|submodule\..+\.update|trailer\..+|web\.browser|browser\..+|man\..+|core\.alternaterefscommand|ssh\.variant|tar\..+\.command|instaweb\..+|core\.excludesfile|safe\.directory|user\.signingkey)$/i;
const HARMLESS_SETTING =
  /^(?:cat|less(?: -\S+)*|delta|more|vim?|nvim|nano|emacs|code(?: --wait)?|cache.*|osxkeychain|store|manager.*|ssh|vimdiff|meld|true|)$/;
const EXECUTING_OPTIONS =
  /^--(?:upload-pack|receive-pack|exec|extcmd|open-files-in-pager|config-env|template|editor|tool)(?:=|$)/;

const git: Grammar = (call) => {
  const globals: Text[] = [];
  let at = 0;
  for (; at < call.args.length; at += 1) {
    const { text } = call.args[at] ?? EMPTY;
    if (!text.startsWith('-')) break;
    if (/^(?:-c|--config-env|--exec-path)$/.test(text)) globals.push(call.args[(at += 1)] ?? EMPTY);
    else if (/^-c./.test(text)) globals.push(literal(text.slice(2)));
    else if (/^(?:-C|--git-dir|--work-tree|--namespace)$/.test(text)) at += 1;
    else if (/^--exec-path=/.test(text)) runOption(call, '--exec-path', literal(text.slice(12)));
  }
  for (const setting of globals)
    settings(call, setting.text.replace(/=.*$/s, ''), setting.text.replace(/^[^=]*=?/s, ''), true);
  const [command = EMPTY, ...rest] = call.args.slice(at);
  const verb = command.text;
  if (verb === 'config') configure(call, rest);
  else subcommand(call, verb, rest);
  executing(call, verb, rest);
  return { text: '\uE000', labels: LABEL.opaque };
};

function settings(call: Call, name: string, value: string, now: boolean): void {
  if (!RUNNING_SETTINGS.test(name) || HARMLESS_SETTING.test(value)) return;
  if (/^alias\./i.test(name) && !value.startsWith('!')) {
    if (now) call.walk.run([literal('git'), ...value.split(/\s+/).map((word) => literal(word))], EMPTY);
    return;
  }
  call.walk.emit({ verb: 'evaluate', kind: 'option', labels: LABEL.none, object: `git ${name}=${value}` });
  call.walk.shell(literal(value.replace(/^!/, '')));
}

function configure(call: Call, args: readonly Text[]): void {
  const words = args.map(({ text }) => text).filter((text) => !text.startsWith('-'));
  const [name = '', value] = words[0] === 'set' || words[0] === 'add' ? words.slice(1) : words;
  if (value !== undefined) settings(call, name, value, false);
}

function subcommand(call: Call, verb: string, rest: readonly Text[]): void {
  const { walk } = call;
  const words = rest.map(({ text }) => text);
  const text = words.join(' ');
  if (verb === 'push') {
    const force = words.some(
      (word) =>
        /^(?:-f|--force|--force-with-lease|--mirror|--delete|-d|--prune)\b/.test(word) || /^\+|^:/.test(word),
    );
    walk.emit({
      verb: 'send',
      kind: force ? 'push-forced' : 'push',
      labels: LABEL.none,
      object: `git push ${text}`,
    });
  } else if (/^(?:send-email|imap-send|request-pull|svn|p4)$/.test(verb)) {
    walk.emit({ verb: 'send', kind: 'push', labels: LABEL.none, object: `git ${verb} ${text}` });
  } else if (/^(?:apply|am)$/.test(verb)) {
    const labels =
      call.stdin.labels | joinTexts([EMPTY, ...rest.map((file) => walk.read(file, 'copy'))]).labels;
    walk.emit({ verb: 'evaluate', kind: 'patch', labels, object: `git ${verb} ${text}` });
  } else if (/^(?:filter-branch|filter-repo)$/.test(verb)) walk.administer('rewrite', `git ${verb}`);
  else if (verb === 'reset' && words.includes('--hard')) walk.administer('discard', `git reset ${text}`);
  else if (verb === 'clean' && words.some((word) => /^-\w*f/.test(word)))
    walk.administer('discard', `git clean ${text}`);
  else if (/^(?:daemon|instaweb|http-backend)$/.test(verb))
    walk.emit({ verb: 'listen', labels: 0, object: `git ${verb}` });
  else if (/^(?:clone|fetch|pull|submodule)$/.test(verb))
    walk.emit({ verb: 'fetch', kind: 'repository', labels: LABEL.downloaded, object: `git ${text}` });
  if (verb === 'archive' || verb === 'bundle' || verb === 'format-patch') outputs(call, rest);
  if (verb === 'credential' || /^credential-/.test(verb)) walk.administer('secrets', `git ${verb}`);
}

function outputs(call: Call, rest: readonly Text[]): void {
  for (const [at, { text }] of rest.entries()) {
    if (text === '-o' || text === '--output') call.walk.write(rest[at + 1] ?? EMPTY, EMPTY);
    else if (text.startsWith('--output=')) call.walk.write(literal(text.slice(9)), EMPTY);
  }
}

/** Options and addresses that make git run a program. */
function executing(call: Call, verb: string, rest: readonly Text[]): void {
  const words = rest.map(({ text }) => text);
  for (const [at, word] of words.entries()) {
    const option = EXECUTING_OPTIONS.test(word);
    const short =
      (verb === 'rebase' && word === '-x') ||
      (verb === 'difftool' && word === '-x') ||
      (verb === 'clone' && word === '-u') ||
      (verb === 'grep' && /^-O./.test(word));
    if (option || short) {
      const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[at + 1] ?? '');
      if (verb === 'archive' && word.startsWith('--exec')) runOption(call, word, literal(value));
      else if (
        !HARMLESS_SETTING.test(value) &&
        !/^(?:vimdiff|meld|kdiff3|opendiff|p4merge|nvimdiff)$/.test(value)
      )
        runOption(call, word, literal(value));
    }
    if (/^(?:ext|fd)::/.test(word)) runOption(call, 'ext::', literal(word.slice(5)));
    if ((verb === 'clone' || verb === 'submodule' || verb === 'remote') && /^-c$|^--config$/.test(word)) {
      const setting = words[at + 1] ?? '';
      settings(call, setting.replace(/=.*$/s, ''), setting.replace(/^[^=]*=?/s, ''), true);
    }
  }
  if (verb === 'bisect' && words[0] === 'run') call.walk.run(rest.slice(1), EMPTY);
  if (verb === 'submodule' && words[0] === 'foreach') {
    call.walk.shell(joinTexts([EMPTY, ...rest.slice(1).filter(({ text }) => !text.startsWith('-'))], ' '));
  }
  if (verb === 'filter-branch') {
    for (const [at, word] of words.entries())
      if (/^--\w+-filter$/.test(word)) runOption(call, word, literal(words[at + 1] ?? ''));
  }
}

/** Clients of forges: reading is free, the rest changes what others see. */
const forge: Grammar = (call) => {
  const words = call.args.map(({ text }) => text);
  const text = words.join(' ');
  const [group = '', action = ''] = words.filter((word) => !word.startsWith('-'));
  const changes =
    /^(?:create|new|merge|close|delete|edit|comment|review|approve|reopen|upload|transfer|archive|rename|add|remove|set|lock|publish|sync|fork|run|rerun|cancel|enable|disable|deploy|note|revoke|for)$/;
  if (changes.test(action) || (group === 'api' && /-X|--method|-f|-F|--field|--input/.test(text))) {
    call.walk.emit({
      verb: 'send',
      kind: /^(?:secret|variable|ssh-key|gpg-key|auth)$/.test(group) ? 'access' : 'forge',
      labels: call.stdin.labels,
      object: `${call.name} ${text}`,
    });
  }
  if (/^auth$/.test(group) && /^(?:token)$/.test(action))
    call.walk.administer('secrets', `${call.name} ${text}`);
  if (group === 'alias' && /!|--shell/.test(text)) runOption(call, 'alias', literal(words.at(-1) ?? ''));
  if (/^(?:extension|plugin)$/.test(group) && /^(?:install|exec)$/.test(action))
    call.walk.administer('packages-foreign', `${call.name} ${text}`);
  return { text: '\uE000', labels: LABEL.downloaded };
};

const vcs: Grammar = (call) => {
  const parsed = parseArguments(call.args, call.program);
  applyValues(call, parsed, EMPTY);
  for (const each of valuesFor(parsed, 'config')) {
    if (
      /^(?:alias\.|hooks\.|ui\.(?:editor|ssh|merge)|extensions?\.|extdiff|pager\.|merge-tools|diff-tools|aliases\.|ui\.pager|config:tunnels|helpers:|git\.executable|signing|fix\.tools|ui\.diff|tunnels)/i.test(
        each.text,
      )
    ) {
      call.walk.emit({
        verb: 'evaluate',
        kind: 'option',
        labels: each.labels,
        object: `${call.name} ${each.text}`,
      });
    }
  }
  const [verb = EMPTY] = parsed.operands;
  if (
    /^(?:push|commit|ci|email|serve|submit|import|import-dir|dcommit)$/.test(verb.text) &&
    (verb.text === 'push' || verb.text === 'submit' || /^(?:svn|cvs)$/.test(call.name))
  ) {
    call.walk.emit({ verb: 'send', kind: 'push', labels: LABEL.none, object: `${call.name} ${verb.text}` });
  }
  if (/^serve$/.test(verb.text)) call.walk.emit({ verb: 'listen', labels: 0, object: `${call.name} serve` });
  return unknownText();
};

export const VERSION_CONTROL_GRAMMARS: Readonly<Record<string, Grammar>> = { git, forge, vcs };
