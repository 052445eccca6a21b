import { LABEL } from '../../effects/labels.ts';
import { isKnown } from '../../effects/pattern-text.ts';
import { parseArguments } from '../programs/parse-options.ts';
import { EMPTY, joinTexts, literal, type Text, unknownText } from '../shell/text.ts';
import type { Walk } from '../shell/walk.ts';
import { entered } from './entered.ts';
import type { Call, Grammar } from './grammar.ts';
import { applyValues, runOption, valuesFor } from './option-values.ts';
import { editsText } from './powerful-variables.ts';

/** Git settings that name a program to run or a file to obey. */
const RUNNING_SETTINGS =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|attributesfile|worktree)|pager\..+|alias\..+|diff\.external|diff\..+\.(?:command|textconv)|difftool\..+|mergetool\..+|merge\..+\.driver|filter\..+|sequence\.editor|credential\.helper|credential\..+\.helper|gpg\..*program|gpg\.program|gpg\.ssh\.defaultkeycommand|interactive\.difffilter|init\.templatedir|include\.path|includeif\..+|uploadpack\..+|receive\..+|remote\..+\.(?:uploadpack|receivepack|vcs)|protocol\.(?!(?:file|git|https?|ssh)\.).*allow|url\..+\.insteadof|http\.(?:proxy|sslverify|cookiefile)|sendemail\..+|submodule\..+\.update|trailer\..+|web\.browser|browser\..+|man\..+|core\.alternaterefscommand|ssh\.variant|tar\..+\.command|instaweb\..+|core\.excludesfile|safe\.directory|user\.signingkey)$/i;
const HARMLESS_SETTING =
  /^(?:cat|less(?: -\S+)*|delta|more|vim?|nvim|nano|emacs|code(?: --wait)?|cache.*|osxkeychain|store|manager.*|ssh|vimdiff|meld|true|)$/;
const EXECUTING_OPTIONS =
  /^--(?:upload-pack|receive-pack|exec|extcmd|open-files-in-pager|config-env|template|editor|tool)(?:=|$)/;

const git: Grammar = (outer) => {
  const { at, walk } = globals(outer);
  const call = { ...outer, walk };
  const [command = EMPTY, ...rest] = call.args.slice(at);
  if (command.text === 'config') configure(call, rest);
  else subcommand(call, command.text, rest);
  executing(call, command.text, rest);
  return { text: '\uE000', labels: LABEL.opaque };
};

/**
 * Options before the subcommand.
 *
 * @returns the position of the subcommand, and the folder it works in
 */
function globals(call: Call): { readonly at: number; readonly walk: Walk } {
  let at = 0;
  let { walk } = call;
  while (call.args[at]?.text.startsWith('-') === true) {
    const { text } = call.args[at] ?? EMPTY;
    const next = call.args[at + 1] ?? EMPTY;
    const folder = workTree(text, next);
    if (folder === undefined) globalSetting(call, text, next);
    else walk = entered(walk, folder);
    at += /^(?:-c|--config-env|-C|--git-dir|--work-tree|--namespace)$/.test(text) ? 2 : 1;
  }
  return { at, walk };
}

function workTree(text: string, next: Text): Text | undefined {
  if (text === '-C' || text === '--work-tree') return next;
  return text.startsWith('--work-tree=') ? literal(text.slice(12)) : undefined;
}

function globalSetting(call: Call, text: string, next: Text): void {
  if (text === '-c' || text === '--config-env') setting(call, next.text, true);
  else if (/^-c./.test(text)) setting(call, text.slice(2), true);
  else if (text.startsWith('--exec-path=')) runOption(call, '--exec-path', literal(text.slice(12)));
}

/** `NAME=VALUE`. */
function setting(call: Call, text: string, now: boolean): void {
  settings(call, text.replace(/=.*$/s, ''), text.replace(/^[^=]*=?/s, ''), now);
}

/** @param own true for a setting of the user, for all repositories */
function settings(call: Call, name: string, value: string, now: boolean, own = false): void {
  if (!RUNNING_SETTINGS.test(name) || HARMLESS_SETTING.test(value)) return;
  if (/^alias\./i.test(name) && !value.startsWith('!')) {
    if (now) call.walk.run([literal('git'), ...value.split(/\s+/).map((word) => literal(word))], EMPTY);
    return;
  }
  if (!/^(?:core|sequence)\.editor$/i.test(name) || !editsText(literal(value)))
    call.walk.emit({
      verb: 'evaluate',
      kind: own ? 'own-setting' : 'option',
      labels: LABEL.none,
      object: `git ${name}=${value}`,
    });
  call.walk.shell(literal(value.replace(/^!/, '')));
}

function configure(call: Call, args: readonly Text[]): void {
  const words = args.map(({ text }) => text).filter((text) => !text.startsWith('-'));
  const [name = '', value] = words[0] === 'set' || words[0] === 'add' ? words.slice(1) : words;
  const own = args.some(({ text }) => text === '--global');
  if (value !== undefined) settings(call, name, value, false, own);
}

const FORCED = /^(?:-f|--force|--force-with-lease|--mirror|--delete|-d|--prune)\b|^\+|^:/;

function subcommand(call: Call, verb: string, rest: readonly Text[]): void {
  const { walk } = call;
  const words = rest.map(({ text }) => text);
  const object = `git ${verb} ${words.join(' ')}`;
  if (verb === 'push' || /^(?:send-email|imap-send|request-pull|svn|p4)$/.test(verb)) push(call, verb, words);
  else if (/^(?:apply|am)$/.test(verb)) {
    const { labels } = joinTexts([call.stdin, ...rest.map((file) => walk.read(file, 'copy'))]);
    walk.emit({ verb: 'evaluate', kind: 'patch', labels, object });
  } else if (/^(?:daemon|instaweb|http-backend)$/.test(verb))
    walk.emit({ verb: 'listen', labels: 0, object });
  else if (/^(?:clone|fetch|pull|submodule)$/.test(verb)) {
    walk.emit({ verb: 'fetch', kind: 'repository', labels: LABEL.downloaded, object });
  } else if (/^(?:archive|bundle|format-patch)$/.test(verb)) outputs(call, rest);
  const kind = gitPower(verb, words);
  if (kind === undefined) return;
  const place = walk.placeOf(literal('.'));
  walk.emit({ verb: 'administer', kind, place, labels: LABEL.none, object });
}

function push({ walk }: Call, verb: string, words: readonly string[]): void {
  if (verb === 'push' && (isRehearsal(words) || isWithinFolder(words, walk))) return;
  const forced = verb === 'push' && words.some((word) => FORCED.test(word));
  const object = `git ${verb} ${words.join(' ')}`;
  walk.emit({ verb: 'send', kind: forced ? 'push-forced' : 'push', labels: LABEL.none, object });
}

const TAKES_VALUE = /^(?:-o|-e|--push-option|--exclude|--repo|--receive-pack|--exec)$/;

/** True for a push to a repository in the working folder, named by its path. */
function isWithinFolder(words: readonly string[], walk: Walk): boolean {
  const remote = words.find((word, at) => !word.startsWith('-') && !TAKES_VALUE.test(words[at - 1] ?? ''));
  if (remote === undefined || !/^(?:\.{1,2}\/|\/|file:\/\/\/)/.test(remote) || !isKnown(remote)) return false;
  return walk.placeOf(literal(remote.replace(/^file:\/\//, ''))).zone === 'working';
}

/**
 * True for a dry run. A word that looks like one may be an option's value, or a name after `--`.
 */
function isRehearsal(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? undefined : end).some((word, at) => {
    const value = TAKES_VALUE.test(words[at - 1] ?? '');
    return !value && (word === '--dry-run' || /^-[dfiqvuxX46]*n[dfiqvuxX46]*$/.test(word));
  });
}

function gitPower(verb: string, words: readonly string[]): string | undefined {
  if (/^filter-(?:branch|repo)$/.test(verb)) return 'rewrite';
  if (verb === 'reset' && words.includes('--hard')) return 'discard';
  if (verb === 'clean' && words.some((word) => /^-\w*f|^--force$/.test(word))) {
    return isRehearsal(words) ? undefined : 'unversioned';
  }
  const shows = (verb === 'credential' && words[0] === 'fill') || /^credential-/.test(verb);
  return shows ? 'secrets' : undefined;
}

function outputs(call: Call, rest: readonly Text[]): void {
  for (const [at, { text }] of rest.entries()) {
    if (text === '-o' || text === '--output') call.walk.write(rest[at + 1] ?? EMPTY, EMPTY);
    else if (text.startsWith('--output=')) call.walk.write(literal(text.slice(9)), EMPTY);
  }
}

const SHORT_EXECUTING: Readonly<Record<string, RegExp>> = {
  rebase: /^-x$/,
  difftool: /^-[xt]$/,
  clone: /^-u$/,
  grep: /^-O./,
};
const USUAL_TOOLS = /^(?:vimdiff|nvimdiff|meld|kdiff3|opendiff|p4merge|git-upload-pack|git-receive-pack)$/;

/** Options and addresses that make git run a program. */
function executing(call: Call, verb: string, rest: readonly Text[]): void {
  const words = rest.map(({ text }) => text);
  for (const [at, word] of words.entries()) executingWord(call, verb, word, words[at + 1] ?? '');
  if (verb === 'bisect' && words[0] === 'run') call.walk.run(rest.slice(1), EMPTY);
  if (verb === 'submodule' && words[0] === 'foreach') {
    const code = rest.slice(1).filter(({ text }) => !text.startsWith('-'));
    call.walk.shell(joinTexts([EMPTY, ...code], ' '));
  }
}

function executingWord(call: Call, verb: string, word: string, next: string): void {
  const short = Object.hasOwn(SHORT_EXECUTING, verb) && SHORT_EXECUTING[verb]?.test(word) === true;
  if (EXECUTING_OPTIONS.test(word) || short) {
    const attached = /^--?[^=]*=(.*)$|^-O(.+)$/s.exec(word);
    const program = attached?.[1] ?? attached?.[2] ?? next;
    if (!HARMLESS_SETTING.test(program) && !USUAL_TOOLS.test(program))
      runOption(call, word, literal(program));
  }
  if (/^(?:ext|fd)::/.test(word)) runOption(call, 'ext::', literal(word.slice(5)));
  if (/^(?:clone|submodule|remote|init)$/.test(verb) && /^(?:-c|--config)$/.test(word))
    setting(call, next, true);
  if (verb === 'filter-branch' && /^--\w+-filter$/.test(word)) runOption(call, word, literal(next));
}

/** Clients of code hosts: reading is allowed; other commands change shared data. */
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
