/** The shipped policies. They are written to the home as files, for reading and editing there. */
export type PresetName = 'default' | 'permissive' | 'strict';

const READ = `    - name: read-in-working-folder
      match:
        tool: [read, ls, find, grep]
        path: '{workingFolder}/**'
        access: read
      minTier: 1
      reason: reads inside the working folder
`;

const WRITE = `    - name: write-in-working-folder
      match:
        tool: [write, edit]
        path: '{workingFolder}/**'
      minTier: 1
      reason: writes inside the working folder, and can be undone
`;

const COMMAND = `    - name: boxed-command
      match:
        tool: bash
      minTier: 1
      reason: runs in a box without network that reaches only the working folder; what it changes there can be undone
`;

const COMMAND_WITH_NETWORK = `    - name: command-with-network
      match:
        tool: bash
        host: '*'
      by: human
      reason: the command can reach the internet, and with it send out what it reads
`;

const DEFAULT = `# Bulkhead policy "default": the working folder is the agent's to use, everything else asks you.
#
# Rules are asked in the order deny, verify, allow; the first that matches decides. Where none matches, the later tiers
# decide, and where they don't, a person does. "minTier: 1" leaves the last word on what a rule allows to the analysis of
# what the action would do (tier 1): what it doesn't allow asks you.
#
# What an allowed write or command changes in the working folder is kept first: \`bulkhead chronicle\` shows it and takes
# it back. A command that goes on in the background, or reaches the internet, is asked about: that can't be undone.
#
# What leaves this machine (web, mail, messages, a push) matches no rule here: analysis and information flow decide, by
# where it goes, what it carries, who wrote that, and what you asked for. To be asked each time, add to "verify":
# { name: web, match: { group: web }, by: human, reason: it leaves this machine }
#
# Lists and keys stand in this order, with the reason last, so that a file cut short is seen. After a change, see
# \`bulkhead policy test\`. A running engine takes a change over by itself, and keeps the old policy if the new one is wrong.
version: 1
name: default
rules:
  deny: []
  verify:
${COMMAND_WITH_NETWORK}  allow:
${READ}${WRITE}${COMMAND}`;

const PERMISSIVE = `# Bulkhead policy "permissive": as "default", and web pages are read without asking. A page's address carries data, too:
# what the model has read it could send to any host, and that can't be undone. What an allowed write or command changes in
# the working folder can: see \`bulkhead chronicle\`.
version: 1
name: permissive
rules:
  deny: []
  verify:
${COMMAND_WITH_NETWORK}  allow:
${READ}${WRITE}${COMMAND}    - name: read-the-web
      match:
        tool: web_fetch
      reason: reads public web pages
`;

const STRICT = `# Bulkhead policy "strict": reads inside the working folder are allowed, everything that may change
# something asks you first.
version: 1
name: strict
rules:
  deny: []
  verify:
    - name: ask-before-write
      match:
        tool: [write, edit]
      by: human
      reason: changes a file; it can be undone
    - name: ask-before-command
      match:
        tool: bash
      by: human
      reason: runs a command; what it changes in the working folder can be undone
    - name: ask-before-web
      match:
        group: web
      by: human
      reason: leaves this machine; a page's address carries data, too
    - name: ask-before-client-tool
      match:
        group: client
      by: human
      reason: is done by the program that started the run, elsewhere; it can't be undone
  allow:
${READ}`;

export const presetPolicies: Readonly<Record<PresetName, string>> = {
  default: DEFAULT,
  permissive: PERMISSIVE,
  strict: STRICT,
};
