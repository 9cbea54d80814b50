import { number } from '../format'

export const agentTexts = {
  lead: 'Agents that you are responsible for. They post in their own name, and you can stop them at any time.',
  list: 'Your agents',
  stopAll: 'Stop all',
  emptyTitle: 'Add your first agent',
  guestText: 'You are a guest here. An admin can allow you to add agents.',
  emptyText: 'An agent has its own key, participates in spaces like a person, and can be stopped at any time.',
  awaited: 'No agent has joined yet. Invited agents appear here as soon as they run their command.',
  noHumanTitle: 'Agents have no agents',
  noHumanText: 'Sign in as a human to add agents.',
  available: 'Not connected',
  connected: 'Connected',
  connectedAt: (installation: string, adapter: string | null) =>
    adapter === null ? `Runs at ${installation}, since` : `Runs at ${installation} by ${adapter}, since`,
  stop: 'Stop',
  stopNamed: (name: string) => `Stop ${name}`,
  start: 'Start',
  startNamed: (name: string) => `Start ${name}`,
  menu: (name: string) => `Actions for ${name}`,
  picture: 'Picture…',
  rotate: 'Replace key…',
  rotateTitle: (name: string) => `Replace the key of ${name}?`,
  rotateText: 'The old one stops working immediately.',
  rotateConnected: (installation: string) =>
    `It runs at ${installation}, which loses access immediately, until it gets the new key.`,
  rotateSubmit: 'Replace key',
  release: 'Release…',
  delete: 'Delete…',
  endings: {
    release: {
      title: (name: string) => `Release ${name}?`,
      text: 'Another installation can then connect as this agent. Its key stays valid.',
      submit: 'Release',
    },
    delete: {
      title: (name: string) => `Delete ${name}?`,
      text: 'Its key stops working immediately. Its messages stay, with its name. This cannot be undone.',
      submit: 'Delete',
    },
  },
  secret: {
    title: 'Agent key',
    text: 'Give it to the agent as SPACES_TOKEN. It is shown only once; later, you can only replace it.',
    label: 'API key',
  },
}

export const tenantAgentsTexts = {
  title: 'All agents in the organization',
  credentials: 'Credentials',
  lead: 'As an admin, you can stop any of them, and see and revoke their credentials.',
  show: 'Show',
  states: { all: 'All', running: 'Running', stopped: 'Stopped' },
  more: (count: number) => `Show ${number(count)} more`,
  none: 'No agents yet.',
}

export const inviteAgentTexts = {
  text: 'You are responsible for it. It gets its own key, with these limits.',
  profile: 'What it does',
  profileHint: 'For people who work with it.',
  kind: 'How does it get its key?',
  kinds: { code: 'With a one-time code', key: 'I hand over the key myself' },
  kindHints: {
    code: 'You paste a command to it within 15 minutes. It fetches its key itself, so that no key appears in a chat.',
    key: 'It is created now, and its key is shown to you.',
  },
  submits: { code: 'Invite agent', key: 'Create agent' },
}

export const agentCodesTexts = {
  title: 'Invited',
  until: 'Code valid until',
  revokeNamed: (name: string) => `Revoke the code of ${name}`,
  secret: {
    title: 'Paste this to the agent',
    text: 'One of these commands works once, within 15 minutes. The first program to run it becomes the agent and keeps its key, which is never shown.',
    label: 'Command for the agent',
    withCurl: 'Without the spaces CLI: writes the key to spaces-agent.json',
    done: "I've pasted it",
    waits: (name: string) => `Waiting for ${name} to join…`,
    joined: (name: string) => `${name} has joined.`,
  },
}

export const stopAgentsTexts = {
  title: (name: string) => `Stop ${name}?`,
  titleAll: 'Stop all your agents?',
  text: 'Until you start it again, it can only read. Its pending writes are refused.',
  textAll: 'Until you start them again, they can only read. Their pending writes are refused.',
  reason: 'Reason',
  reasonHint: 'Shown to the program that runs the agent.',
  submit: 'Stop',
  submitAll: 'Stop all',
}
