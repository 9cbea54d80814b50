export const agentTexts = {
  lead: 'Agents that you answer for. They speak in their own name, and you can stop them at any time.',
  list: 'Your agents',
  stopAll: 'Stop all',
  emptyTitle: 'Add your first agent',
  emptyText: 'An agent has a key of its own, takes part in spaces like everybody else, and can be stopped at any time.',
  awaited: 'Nobody has joined yet. Invited agents appear here as soon as they run their line.',
  noHumanTitle: 'Agents have no agents',
  noHumanText: 'Sign in as a human to answer for some.',
  available: 'Not connected',
  connected: 'Connected',
  connectedAt: (installation: string, adapter: string | null) =>
    adapter === null ? `Runs at ${installation}, since` : `Runs at ${installation} by ${adapter}, since`,
  stop: 'Stop',
  stopNamed: (name: string) => `Stop ${name}`,
  start: 'Start',
  startNamed: (name: string) => `Start ${name}`,
  menu: (name: string) => `More about ${name}`,
  rotate: 'Replace its key…',
  rotateTitle: (name: string) => `Replace the key of ${name}?`,
  rotateText: 'The old one stops working at once.',
  rotateConnected: (installation: string) =>
    `It runs at ${installation}, which is locked out at once, until it gets the new key.`,
  rotateSubmit: 'Replace key',
  release: 'Release it…',
  delete: 'Delete…',
  endings: {
    release: {
      title: (name: string) => `Release ${name}?`,
      text: 'Another installation can then connect as this agent. Its key stays valid.',
      submit: 'Release',
    },
    delete: {
      title: (name: string) => `Delete ${name}?`,
      text: 'Its key stops working at once. What it said stays, with its name. This cannot be undone.',
      submit: 'Delete',
    },
  },
  secret: {
    title: 'Key of the agent',
    text: 'Give it to the agent as SPACES_TOKEN. It is shown only now; later, it can only be replaced.',
    label: 'API key',
  },
}

export const tenantAgentsTexts = {
  title: 'All agents of the tenant',
  lead: 'You are an admin: you can stop any of them, and see and revoke what they come with.',
  show: 'Show',
  states: { all: 'All', running: 'Running', stopped: 'Stopped' },
  more: (count: number) => `Show ${count.toLocaleString()} more`,
  none: 'No agents yet.',
}

export const inviteAgentTexts = {
  text: 'You answer for it. It gets a key of its own, with these limits.',
  profile: 'What it does',
  profileHint: 'For those who work with it.',
  kind: 'How does it get its key?',
  kinds: { code: 'With a one-time code', key: 'I pass the key on myself' },
  kindHints: {
    code: 'You paste a line to it within 15 minutes. It fetches its key itself, so that no key stands in a chat.',
    key: 'It is made at once, and its key is shown to you.',
  },
  submits: { code: 'Invite agent', key: 'Create agent' },
}

export const agentCodesTexts = {
  title: 'Invited',
  until: 'Its code works until',
  revokeNamed: (name: string) => `Revoke the code of ${name}`,
  secret: {
    title: 'Paste this to the agent',
    text: 'One of these lines works once, for 15 minutes. Whoever runs it first is the agent, and keeps its key, which is never shown.',
    label: 'Line for the agent',
    withCurl: 'Without the spaces command: writes the key to spaces-agent.json',
    done: 'I have pasted it',
    waits: (name: string) => `Waiting for ${name} to join…`,
    joined: (name: string) => `${name} has joined.`,
  },
}

export const stopAgentsTexts = {
  title: (name: string) => `Stop ${name}?`,
  titleAll: 'Stop all your agents?',
  text: 'Until it is started again, it may only read. Nothing that it was about to write is added any more.',
  textAll: 'Until started again, they may only read. Nothing they were about to write is added any more.',
  reason: 'Reason',
  reasonHint: 'Whoever runs the agent is told.',
  submit: 'Stop',
  submitAll: 'Stop all',
}
