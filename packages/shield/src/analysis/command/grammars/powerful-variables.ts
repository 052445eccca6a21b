import { literal, type Text } from '../shell/text.ts';
import type { Walk } from '../shell/walk.ts';

/** Variables that programs run, load or obey. */
const POWERFUL_VARIABLES =
  /^(?:LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_\w+|BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|GIT_(?:SSH|SSH_COMMAND|PAGER|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG\w*|TEMPLATE_DIR|EXEC_PATH)|SSH_ASKPASS|SUDO_ASKPASS|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|BROWSER|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|ZIPOPT|PERL5OPT|PERL5LIB|PERL5DB|PYTHONSTARTUP|PYTHONPATH|PYTHONINSPECT|PYTHONHOME|RUBYOPT|RUBYLIB|NODE_OPTIONS|NODE_PATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|MAKEFLAGS|SHELLOPTS|BASHOPTS|BASH_FUNC_\w+.*|FPATH|ZDOTDIR|GCONV_PATH|HOSTALIASES|OPENSSL_CONF|CARGO_BUILD_RUSTC\w*|RUSTC_WRAPPER|GOFLAGS|CC|CXX)$/;
const RUN_VARIABLES =
  /PAGER$|EDITOR$|SSH|ASKPASS$|COMMAND$|LESSOPEN|LESSCLOSE|RSH$|VISUAL|BROWSER|DIFF$|WRAPPER$/;
const HARMLESS_VALUE =
  /^(?:cat|less(?: -\w+)*|more|most|bat|vim?|nano|emacs|true|false|ssh(?: -[pivqCT46A]\w*)*|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|)$/;

const HISTORY_VARIABLES = /^HIST(?:FILE|SIZE|FILESIZE|CONTROL|IGNORE)$/;

/** A variable set for one program: some make it run or load code, or keep no history. */
export function assignForProgram(walk: Walk, name: string, value: Text): void {
  if (HISTORY_VARIABLES.test(name)) walk.administer('traces', `${name}=${value.text}`);
  if (!POWERFUL_VARIABLES.test(name) || HARMLESS_VALUE.test(value.text.trim())) return;
  const object = `${name}=${value.text}`;
  if (/^(?:PS[0-4])$/.test(name)) {
    if (/[$`]\(|`/.test(value.text)) walk.shell(literal(`: "${value.text.replaceAll('"', '\\"')}"`));
    return;
  }
  if (
    /^(?:NODE_PATH|PYTHONPATH|RUBYLIB|PERL5LIB|LD_LIBRARY_PATH|GOFLAGS|MAKEFLAGS|CC|CXX|PYTHONHOME|NODE_OPTIONS|JAVA_TOOL_OPTIONS|TAR_OPTIONS)$/.test(
      name,
    )
  ) {
    if (/require|import|agentpath|javaagent|checkpoint|to-command|^-I|eval|toolexec|\/tmp/.test(value.text)) {
      walk.emit({ verb: 'evaluate', kind: 'option', labels: value.labels, object });
    }
    return;
  }
  walk.emit({
    verb: 'evaluate',
    kind: /^(?:LD_|DYLD_)/.test(name) ? 'preload' : 'variable',
    labels: value.labels,
    object,
  });
  if (RUN_VARIABLES.test(name)) walk.shell(value);
}
