/** The policies that come with the product. They are written to the home as files, to be read and changed there. */
export type PresetName = 'default' | 'permissive' | 'strict';

const READ = `    - name: read-in-working-folder
      match:
        tool: [read, ls, find, grep]
        path: '{workingFolder}/**'
        access: read
      reason: reads inside the working folder
`;

const WRITE = `    - name: write-in-working-folder
      match:
        tool: [write, edit]
        path: '{workingFolder}/**'
      reason: writes inside the working folder, without undo until there are snapshots
`;

const COMMAND = `    - name: boxed-command
      match:
        tool: bash
      minTier: 1
      reason: runs in a box without network that reaches only the working folder; without undo until there are snapshots
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
# decide, and where they don't, a person does. Reading this file top to bottom tells you all that it allows by itself.
# "minTier: 1" leaves the decision to the analysis of commands: what it doesn't allow asks you.
#
# There are no snapshots yet: what an allowed write or command changes in the working folder can't be
# undone by Bulkhead. If you can't accept that, use the policy "strict".
#
# The web is asked about: what a page's address carries leaves this machine. To read some hosts without being asked,
# add to "allow": { name: documentation, match: { tool: web_fetch, host: [docs.python.org] }, reason: documentation }
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
# what the model has read it could send to any host. It will allow more once what it allows can be undone: there
# are no snapshots yet, and what an allowed write or command changes in the working folder can't be undone.
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
      reason: changes a file, without undo until there are snapshots
    - name: ask-before-command
      match:
        tool: bash
      by: human
      reason: runs a command, without undo until there are snapshots
  allow:
${READ}`;

export const presetPolicies: Readonly<Record<PresetName, string>> = {
  default: DEFAULT,
  permissive: PERMISSIVE,
  strict: STRICT,
};
