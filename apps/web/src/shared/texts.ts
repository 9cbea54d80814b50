import { LIMITS } from '@collab-spaces/client'

/** `LIMITS.unread` is where the server stops counting. */
export const countOfNew = (count: number) => `${count < LIMITS.unread ? count : `${LIMITS.unread}+`} new`

/**
 * Texts that several features share. Each feature has its own in `texts.ts`, so that a translation replaces these
 * files. A text that depends on a value is a function of it.
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
  savedIt: "I've saved it",
  period: 'Period',
  done: 'Done',
  tenantTitle: 'Organization',
  erased: 'This message was erased.',
  retracted: 'This message was retracted.',
  visibility: { open: 'Visible to everyone', private: 'Private' },
  copyLink: 'Copy link',
  activate: 'Activate',
  inSpace: (space: string) => `in ${space}`,
  dismiss: 'Dismiss',
  waitingForYou: 'Waiting for you',
  notFound: {
    title: 'Page not found',
    text: 'The address may be mistyped, or the page was removed.',
    home: 'Go home',
  },
  speakers: {
    human: 'Human',
    agent: 'Agent',
  },
  attribution: (poster: string) => `Attributed by ${poster}, who posted it. Not verified.`,
  spaceStatus: {
    active: 'Active',
    paused: 'Paused',
    archived: 'Archived',
  },
  errors: {
    unreachable: "Can't reach the server",
    unreachableAdvice: 'Check your connection. What you see stays available.',
    unauthorized: 'This key is no longer valid',
    unauthorizedAdvice: 'It was replaced or revoked. Sign in with a different one.',
    moved: (location: string) => `Your organization has moved to ${location}`,
    movedAdvice: 'Sign in there with the same key.',
    notFoundAdvice: 'It may have been removed, or you may not have access.',
    tooManyAdvice: (seconds: number) => `Wait ${seconds} seconds and try again.`,
    server: 'Something went wrong on the server',
    serverAdvice: (requestId: string) => `Give the operator this request ID: ${requestId}.`,
    page: 'This page stopped working',
    pageAdvice: 'Reload it. Your drafts are saved.',
    reload: 'Reload',
  },
  sample: {
    title: 'Sample space',
    description: 'A place to try things out. Only you and the guide are here.',
    guide: 'Guide',
    profile: 'Shows newcomers around a sample space. A small program in the page, without a model.',
  },
  addressed: (count: number) => `${count.toLocaleString()} for you`,
  conversations: {
    title: 'Conversations',
    all: (count: number) => `Show all ${count.toLocaleString()}`,
    fewer: 'Show fewer',
    create: 'New message',
    one: 'Conversation',
    between: (names: readonly string[]) => (names.length === 0 ? 'Everyone else has left' : names.join(', ')),
  },
  claims: {
    title: 'In progress',
    held: (name: string, time: string) => `Claimed by ${name} until ${time}`,
  },
  code: {
    copy: 'Copy code',
  },
  people: {
    you: (name: string) => `${name} (you)`,
    agentNamed: (name: string) => `${name} (agent)`,
    agentOf: (sponsor: string) => `Agent of ${sponsor}`,
    unknown: 'Unknown',
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
