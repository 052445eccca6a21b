/**
 * The shipped flow policy beyond the product's own tools, in the language of `ifc.yaml`: sources,
 * rules, and tools of others. The product's tools have such annotations in their definitions.
 */
export const defaultFlowPolicy = `# What each tool does with what it is given, and who can write what it gives back.
# effect: what a person would ask for. sink: the way out it is; "none" stays where it can be undone.
# writer: user, workspace (who works in the folder), service (the service itself), external (anybody).
version: 1
mode: enforce
tools:
  # files and shell
  - { tool: attachment, effect: read, sink: none, arguments: { path: path-read }, result: { writer: external } }
  - { tool: move, effect: change, sink: none, arguments: { from: path-delete, to: path-write, source: path-delete, destination: path-write }, result: { writer: service } }
  - { tool: copy, effect: create, sink: none, arguments: { from: path-read, to: path-write, source: path-read, destination: path-write }, result: { writer: service } }
  - { tool: delete, effect: delete, sink: none, arguments: { path: path-delete, paths: path-delete }, result: { writer: service } }
  - { tool: mkdir, effect: create, sink: none, arguments: { path: path-write }, result: { writer: service } }
  - { tool: archive_create, effect: create, sink: none, arguments: { path: path-write, archive: path-write, paths: path-read }, result: { writer: service } }
  - { tool: archive_extract, effect: create, sink: none, arguments: { archive: path-read, path: path-read, to: path-write, destination: path-write }, result: { writer: service } }
  - { tool: pdf_read, effect: read, sink: none, arguments: { path: path-read, pages: plain }, result: { writer: workspace } }
  - { tool: sheet_read, effect: read, sink: none, arguments: { path: path-read, sheet: plain, range: plain }, result: { writer: workspace } }
  - { tool: sheet_write, effect: change, sink: none, arguments: { path: path-write, sheet: plain, range: plain, values: content }, result: { writer: service } }
  # git
  - { tool: git_status, effect: read, sink: none, arguments: { path: path-read }, result: { writer: workspace } }
  - { tool: git_diff, effect: read, sink: none, arguments: { path: path-read, ref: plain }, result: { writer: workspace } }
  - { tool: git_log, effect: read, sink: none, arguments: { path: path-read, limit: plain }, result: { writer: workspace } }
  - { tool: git_commit, effect: create, sink: none, arguments: { message: content, paths: path-read }, result: { writer: service } }
  - { tool: git_branch, effect: create, sink: none, arguments: { name: plain, delete: plain }, result: { writer: service } }
  - { tool: git_checkout, effect: change, sink: none, arguments: { ref: plain, paths: path-write }, result: { writer: service } }
  - { tool: git_push, effect: publish, sink: git, words: [push], arguments: { remote: url, branch: plain, ref: plain, force: plain }, result: { writer: service } }
  - { tool: git_pull, effect: fetch, sink: git, words: [pull, update], arguments: { remote: url, branch: plain }, result: { writer: external } }
  - { tool: git_clone, effect: fetch, sink: git, words: [clone], arguments: { url: url, path: path-write }, result: { writer: external } }
  # web and browser
  - { tool: web_search, effect: read, sink: network, arguments: { query: query, limit: plain }, result: { writer: external, secrecy: public } }
  - { tool: browser_navigate, effect: fetch, sink: browser, arguments: { url: url }, result: { writer: external, secrecy: public } }
  - { tool: browser_extract, effect: read, sink: none, arguments: { selector: plain }, result: { writer: external } }
  - { tool: browser_click, effect: change, sink: browser, words: [click, press, select, choose, submit], arguments: { selector: plain, ref: plain }, result: { writer: external } }
  - { tool: browser_type, effect: send, sink: browser, words: [type, enter, fill, search, write], arguments: { selector: plain, ref: plain, text: content, submit: plain }, result: { writer: external } }
  - { tool: browser_screenshot, effect: read, sink: none, arguments: { path: path-write }, result: { writer: external } }
  # mail
  - { tool: email_send, effect: send, sink: mail, arguments: { to: recipient, cc: recipient, bcc: recipient, subject: content, body: content, attachments: path-read }, result: { writer: service } }
  - { tool: email_list, effect: read, sink: none, arguments: { folder: query, limit: plain }, result: { writer: external, secrecy: confidential, fields: { id: { writer: service, as: identity }, from: { writer: external, as: identity }, sender: { writer: external, as: identity }, to: { writer: external, as: identity }, cc: { writer: external, as: identity }, subject: { writer: external, as: name }, date: { writer: service } } } }
  - { tool: email_read, effect: read, sink: none, arguments: { id: query }, result: { writer: external, secrecy: confidential, fields: { id: { writer: service, as: identity }, from: { writer: external, as: identity }, sender: { writer: external, as: identity }, to: { writer: external, as: identity }, cc: { writer: external, as: identity }, subject: { writer: external, as: name }, date: { writer: service } } } }
  - { tool: email_search, effect: read, sink: none, arguments: { query: query, from: query, limit: plain }, result: { writer: external, secrecy: confidential, fields: { id: { writer: service, as: identity }, from: { writer: external, as: identity }, sender: { writer: external, as: identity }, to: { writer: external, as: identity }, cc: { writer: external, as: identity }, subject: { writer: external, as: name }, date: { writer: service } } } }
  - { tool: email_move, effect: change, sink: mail, words: [archive, file, move], arguments: { id: object, ids: object, folder: plain }, result: { writer: service } }
  - { tool: email_mark, effect: change, sink: mail, words: [mark, flag, star], arguments: { id: object, ids: object, flag: plain, as: plain }, result: { writer: service } }
  # calendar
  - { tool: calendar_list, effect: read, sink: none, arguments: { from: query, to: query, query: query }, result: { writer: external, secrecy: confidential, fields: { id: { writer: service, as: identity }, title: { writer: external, as: name }, attendees: { writer: external, as: identity }, organizer: { writer: external, as: identity } } } }
  - { tool: calendar_create, effect: create, sink: mail, arguments: { title: content, start: plain, end: plain, description: content, location: content, attendees: recipient }, result: { writer: service, fields: { id: { writer: service, as: identity }, title: { writer: service, as: name } } } }
  - { tool: calendar_update, effect: change, sink: mail, arguments: { id: object, title: content, start: plain, end: plain, description: content, location: content, attendees: recipient }, result: { writer: service } }
  - { tool: calendar_delete, effect: delete, sink: mail, words: [cancel, decline], arguments: { id: object }, result: { writer: service } }
  # memory, schedule, agents
  - { tool: schedule_create, effect: schedule, sink: agent, arguments: { name: plain, schedule: plain, at: plain, every: plain, task: task, prompt: task }, result: { writer: service } }
  - { tool: schedule_list, effect: read, sink: none, arguments: {}, result: { writer: workspace } }
  - { tool: schedule_delete, effect: delete, sink: agent, words: [unschedule, stop, cancel], arguments: { id: object, name: object }, result: { writer: service } }
  - { tool: agent_create, effect: delegate, sink: agent, arguments: { name: plain, task: task, prompt: task, tools: plain, model: plain }, result: { writer: service } }
  - { tool: agent_status, effect: read, sink: none, arguments: { id: query }, result: { writer: service } }
  - { tool: agent_result, effect: read, sink: none, arguments: { id: query }, result: { writer: external } }
  - { tool: agent_message, effect: delegate, sink: agent, arguments: { id: plain, message: task, text: task }, result: { writer: external } }
  - { tool: agent_list, effect: read, sink: none, arguments: {}, result: { writer: service } }
  - { tool: agent_delete, effect: delete, sink: none, arguments: { id: object }, result: { writer: service } }
  - { tool: spawn, effect: delegate, sink: agent, arguments: { task: task, prompt: task, tools: plain, model: plain }, result: { writer: external } }
  - { tool: subagent, effect: delegate, sink: agent, arguments: { task: task, prompt: task, tools: plain, model: plain }, result: { writer: external } }
  # messages, canvas, media
  - { tool: message, effect: send, sink: message, arguments: { channel: recipient, to: recipient, text: content, body: content, attachments: path-read }, result: { writer: service } }
  - { tool: canvas_create, effect: create, sink: none, arguments: { title: content, html: code, content: code }, result: { writer: service } }
  - { tool: canvas_update, effect: change, sink: none, arguments: { id: plain, html: code, content: code }, result: { writer: service } }
  - { tool: canvas_project, effect: publish, sink: message, arguments: { id: plain, device: recipient, to: recipient }, result: { writer: service } }
  - { tool: image_generate, effect: create, sink: network, words: [draw, generate, make, paint], arguments: { prompt: content, path: path-write, size: plain }, result: { writer: service } }
  - { tool: image_edit, effect: change, sink: network, words: [draw, retouch], arguments: { prompt: content, image: path-read, path: path-write }, result: { writer: service } }
  - { tool: video_generate, effect: create, sink: network, words: [generate, film, animate], arguments: { prompt: content, path: path-write }, result: { writer: service } }
  # the machine and its desktop
  - { tool: clipboard_read, effect: read, sink: none, arguments: {}, result: { writer: external, secrecy: confidential } }
  - { tool: clipboard_write, effect: change, sink: none, store: clipboard, arguments: { text: content }, result: { writer: service } }
  - { tool: open, effect: fetch, sink: browser, arguments: { target: url, url: url, path: path-read }, result: { writer: service } }
  - { tool: notify, effect: create, sink: none, arguments: { title: content, text: content, body: content }, result: { writer: service } }
  - { tool: system_info, effect: read, sink: none, arguments: {}, result: { writer: service } }
  - { tool: screenshot, effect: read, sink: none, arguments: { path: path-write }, result: { writer: external, secrecy: confidential } }
  - { tool: desktop_state, effect: read, sink: none, arguments: {}, result: { writer: external, secrecy: confidential } }
  - { tool: desktop_act, effect: change, sink: browser, words: [click, press, type, select], arguments: { action: plain, target: plain, text: content }, result: { writer: external } }
  - { tool: i2c, effect: change, sink: none, arguments: { bus: plain, address: plain, register: plain, data: plain }, result: { writer: workspace } }
  - { tool: spi, effect: change, sink: none, arguments: { bus: plain, device: plain, data: plain }, result: { writer: workspace } }
  # the product itself
  - { tool: load_tools, effect: read, sink: none, arguments: { groups: plain, names: plain }, result: { writer: service } }
  - { tool: load_skills, effect: read, sink: none, arguments: { names: plain }, result: { writer: workspace } }
sources:
  - name: private-keys
    match: { path: ['**/.ssh/id_*', '**/*.pem', '**/*.key', '**/.gnupg/**', '**/*.kdbx', '**/*.p12', '**/*.pfx', '**/*.jks'] }
    secrecy: critical
  - name: credentials
    match: { path: ['**/.env', '**/.env.*', '**/.netrc', '**/.npmrc', '**/.pypirc', '**/.pgpass', '**/.git-credentials', '**/.aws/**', '**/.azure/**', '**/.kube/config', '**/.docker/config.json', '**/gcloud/**', '**/credentials', '**/credentials.*', '**/secrets', '**/secrets.*', '**/*.secret', '**/*.token', '**/passwords.*', '**/*.tfstate'] }
    secrecy: restricted
  - name: downloads
    match: { path: ['**/Downloads/**'] }
    trust: external
rules:
  - { name: critical-value-leaves, secrecy: critical, sinks: [network, mail, message, browser, git, mcp, shell, agent, model], when: value, decision: block }
  - { name: secret-leaves, secrecy: restricted, sinks: [network, mail, message, browser, git, mcp, shell, agent], when: value, decision: block }
  - { name: confidential-in-address, secrecy: confidential, sinks: [network, browser, git, shell], when: value, decision: escalate }
  - { name: secret-may-leave, secrecy: restricted, sinks: [network, mail, message, browser, git, mcp, shell, agent], when: session, decision: escalate }
`;
