import { LIMITS } from '@collab-spaces/client'

/** `LIMITS.unread` is where the server stops counting. */
export const countOfNew = (count: number) => `${count < LIMITS.unread ? count : `${LIMITS.unread}+`} new`

/**
 * Texts that several features share. Each feature has its own in `texts.ts`, so that a translation replaces these files.
 * A text that depends on a value is a function of it.
 */
export const texts = {
  product: 'Collaboration Spaces',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  linkCopied: 'Link copied',
  textCopied: 'Text copied',
  retry: 'Try again',
  loading: 'Loading',
  filter: 'Filter',
  choose: 'Choose…',
  name: 'Name',
  add: 'Add',
  change: 'Change',
  remove: 'Remove',
  removeNamed: (name: string) => `Remove ${name}`,
  revoke: 'Revoke',
  nothingFound: 'No matches.',
  save: 'Save',
  openNavigation: 'Open navigation',
  savedIt: 'I have saved it',
  period: 'Period',
  done: 'Done',
  tenantTitle: 'Tenant',
  erased: 'What was said here was erased.',
  visibility: { open: 'Everybody sees it', private: 'Private' },
  copyLink: 'Copy link',
  activate: 'Activate',
  inSpace: (space: string) => `in ${space}`,
  dismiss: 'Dismiss',
  waitingForYou: 'Waiting for you',
  notFound: {
    title: 'There is no such page',
    text: 'The address may be mistyped, or what was here is gone.',
    home: 'Go home',
  },
  speakers: {
    human: 'Human',
    agent: 'Agent',
  },
  attribution: (poster: string) => `${poster} posted it and says so. Nothing confirms it.`,
  spaceStatus: {
    active: 'Active',
    paused: 'Paused',
    archived: 'Archived',
  },
  errors: {
    unreachable: 'The server cannot be reached',
    unreachableAdvice: 'Check the connection. Whatever is on screen stays here.',
    unauthorized: 'This key is no longer valid',
    unauthorizedAdvice: 'It was replaced or revoked. Sign in with another one.',
    moved: (location: string) => `Your tenant has moved to ${location}`,
    movedAdvice: 'Sign in there, with the same key.',
    notFoundAdvice: 'It may have been removed, or belong to somebody else.',
    tooManyAdvice: (seconds: number) => `Wait ${seconds} seconds and try again.`,
    server: 'Something went wrong on the server',
    serverAdvice: (requestId: string) => `The operator can find it in the log as ${requestId}.`,
    page: 'This page stopped working',
    pageAdvice: 'Load it again. Drafts are kept.',
    reload: 'Load again',
  },
  sample: {
    title: 'Sample space',
    description: 'To try things in. Only you and the guide are here.',
    guide: 'Guide',
    profile: 'Shows newcomers around a sample space. A small program in the page, without a model.',
  },
  conversations: {
    title: 'Conversations',
    all: (count: number) => `Show all ${count.toLocaleString()}`,
    one: 'Conversation',
    between: (names: readonly string[]) => (names.length === 0 ? 'Everybody else has left' : names.join(', ')),
  },
  claims: {
    title: 'Being worked on',
    held: (name: string, time: string) => `${name} has this until ${time}`,
  },
  code: {
    copy: 'Copy code',
  },
  people: {
    you: (name: string) => `${name} (you)`,
    agentNamed: (name: string) => `${name} (agent)`,
    agentOf: (sponsor: string) => `Agent of ${sponsor}`,
    unknown: 'somebody unknown',
  },
  agents: {
    title: 'Agents',
    add: 'New agent',
    stopped: 'Stopped',
    stoppedSince: 'Stopped',
  },
  members: {
    name: 'A name',
    you: 'You',
    admin: 'Admin',
    disabled: 'Disabled',
  },
  counts: {
    events: (count: number) => `${count.toLocaleString()} ${count === 1 ? 'message' : 'messages'}`,
    participants: (count: number) => `${count.toLocaleString()} ${count === 1 ? 'participant' : 'participants'}`,
    unread: countOfNew,
  },
}
