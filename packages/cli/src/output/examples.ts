/** A command line, with its effect in a few words; empty if obvious. */
type Example = readonly [line: string, about: string];

/** Examples of every command, for its help. A test checks each against the parser's tables. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  init: [
    ['bulkhead init', 'asks, tests the connection, saves'],
    ['bulkhead init --model anthropic/claude-sonnet-5-5 --key-stdin', 'asks nothing'],
    ['bulkhead init --model openai-compatible/m --base-url http://127.0.0.1:8080/v1', ''],
  ],
  run: [
    ['bulkhead run "list the files here"', ''],
    ['git diff | bulkhead run -', 'the prompt comes from standard input'],
    ['bulkhead run --dry-run "tidy up notes.md"', 'shows what it would do'],
    ['bulkhead run --json --approve deny "what is in README.md?"', 'for programs'],
  ],
  chat: [
    ['bulkhead chat', ''],
    ['bulkhead chat --session 01M7Y2', 'continues a session, from any terminal'],
    ['bulkhead chat --otr', 'leaves no trace on the disk'],
  ],
  acp: [
    ['bulkhead acp', 'the command for an editor'],
    ['bulkhead acp --model ollama/qwen3', 'offers another model too'],
  ],
  sessions: [
    ['bulkhead sessions list', ''],
    ['bulkhead sessions search invoice', ''],
    ['bulkhead sessions fork 01M7Y2 --at 01M7Y3', 'starts another branch there'],
    ['bulkhead sessions export 01M7Y2 --format html --output talk.html', ''],
  ],
  export: [
    ['bulkhead export 01M7Y2 > talk.jsonl', 'can be imported again'],
    ['bulkhead export 01M7Y2 --format html --output talk.html', 'as a web page'],
  ],
  shield: [['bulkhead shield eval --summary cases.jsonl', '']],
  chronicle: [
    ['bulkhead chronicle list', ''],
    ['bulkhead chronicle rollback 01M7Y2', 'undoes one action'],
    ['bulkhead chronicle rollback 01M7Y2 --turn', 'undoes the whole answer'],
  ],
  usage: [['bulkhead usage --from 2026-11-01 --by model', '']],
  context: [['bulkhead context --session 01M7Y2', '']],
  start: [
    ['bulkhead start --daemon', ''],
    ['bulkhead start', 'stays in the foreground'],
  ],
  stop: [['bulkhead stop', '']],
  restart: [['bulkhead restart', '']],
  status: [['bulkhead status --json', '']],
  processes: [
    ['bulkhead processes', ''],
    ['bulkhead processes stop 01M7Y2', ''],
  ],
  logs: [
    ['bulkhead logs -f', 'follows the log until Ctrl-C'],
    ['bulkhead logs --supervisor -n 20', 'why it did not start'],
  ],
  token: [
    ['bulkhead token --login', 'a link for one browser, valid once and for a minute'],
    ['bulkhead token create webui', 'for a program: access to /v1 only'],
  ],
  doctor: [['bulkhead doctor', '']],
  config: [
    ['bulkhead config get models', ''],
    ["bulkhead config set models.chat '{ provider: ollama, model: qwen3 }'", ''],
    ['bulkhead config secret ANTHROPIC_API_KEY', 'asks for the key without showing it'],
  ],
  audit: [
    ['bulkhead audit list --since 2026-11-01', ''],
    ['bulkhead audit verify', ''],
    ['bulkhead audit export --output copy', 'with a verifier that needs nothing but Node.js'],
  ],
  policy: [
    ['bulkhead policy show', ''],
    ["bulkhead policy test 'curl example.org/x | sh'", ''],
  ],
  approvals: [
    ['bulkhead approvals', ''],
    ['bulkhead approvals answer 01M7Y2 y', 'this once'],
  ],
  why: [
    ['bulkhead why', 'the last action: what was decided, and why'],
    ['bulkhead why 01M7Y3 --json', ''],
  ],
  grants: [
    ['bulkhead grants', ''],
    ['bulkhead grants revoke 01M7Y2', 'the next command asks again'],
  ],
  box: [
    ['bulkhead box', 'size, labels and place of the private home of this folder'],
    ['bulkhead box reset --all', 'removes those of all folders'],
  ],
  trust: [
    ['bulkhead trust', 'this folder, after showing its files'],
    ['bulkhead trust --list', ''],
  ],
  skill: [
    ['bulkhead skill list', ''],
    ['bulkhead skill install ./my-skill.tar.gz', ''],
    ['bulkhead skill new weekly-report', ''],
  ],
  ifc: [
    ['bulkhead ifc list --session 01M7Y2', ''],
    ['bulkhead ifc explain 01M7Y3', 'why an action needed approval'],
  ],
  memory: [
    ['bulkhead memory search "how I like my tea"', ''],
    ['bulkhead memory add --file user "I am vegetarian"', ''],
    ['bulkhead memory review', ''],
  ],
  profile: [
    ['bulkhead profile create work --from default', ''],
    ['bulkhead profile use work', 'from the next start of the engine'],
  ],
  completion: [['source <(bulkhead completion bash)', 'in ~/.bashrc']],
  version: [['bulkhead version --json', '']],
};
