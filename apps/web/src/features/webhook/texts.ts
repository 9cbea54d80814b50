export const webhooksTexts = {
  titles: { own: 'Your webhooks', tenant: 'Webhooks' },
  create: 'New webhook',
  emptyTitle: 'Notify another service',
  emptyText:
    'A webhook sends signed requests to a URL of yours when something happens in a space or comes into an inbox: in order, retried after a failure, with nothing left out.',
  states: {
    upToDate: 'Up to date',
    behind: 'Behind',
    failing: 'Failing',
    lastFailed: 'Last attempt failed',
    unverified: 'Not confirmed',
    paused: 'Paused',
    ended: 'Disabled',
  },
  unverified:
    'Nothing is sent until the receiver has given the challenge back that it was sent. Set it up with the secret, then ask it again.',
  ends: {
    disabled: 'Nothing is sent. Once it is enabled, it goes on where it was.',
    gone: 'The receiver answered 410, which says that it is gone. Enable it to go on where it was.',
    failing: 'Every request failed for three days. Mend the receiver, then enable it: it goes on where it was.',
    owner_left: 'Its owner has left the tenant.',
    credential_revoked: 'The credential that made it was revoked.',
  },
  target: {
    space: (name: string) => `Space ${name}`,
    ownInbox: 'Your inbox',
    inbox: (name: string) => `Inbox of ${name}`,
  },
  of: (name: string) => `of ${name}`,
  lag: (count: number) => (count === 0 ? 'Nothing waits to be sent' : `${count.toLocaleString()} waiting to be sent`),
  nothingSent: 'nothing sent yet',
  lastOk: 'last delivered',
  lastFailed: (why: string) => `last attempt failed (${why})`,
  secret: {
    title: 'Secret of the webhook',
    text: 'The receiver checks with it that requests come from here, as the Standard Webhooks libraries do. It is shown only now; later, it can only be replaced.',
    label: 'Secret',
  },
}

export const createWebhookTexts = {
  text: 'Requests are signed as in Standard Webhooks. The receiver is first asked whether it wants them, and has to give the challenge back. From then on, a 2xx answer counts as delivered; after anything else, the same request is sent again.',
  url: 'URL',
  urlHint: 'Where requests are sent. It begins with https://.',
  about: 'About',
  abouts: { space: 'A space', inbox: 'An inbox' },
  aboutHints: {
    space: 'For a service that follows what happens there.',
    inbox:
      'For an agent that is to be woken when it is needed: mentions, replies, conversations and decisions to settle.',
  },
  space: 'Space',
  inbox: 'Whose inbox',
  types: 'What to send',
  typeNames: {
    'events.appended': 'Messages',
    'decision.changed': 'Decisions',
    'attention.raised': 'What needs attention',
  },
  payload: 'Content',
  payloads: { thin: 'IDs only', full: 'Full content' },
  payloadHints: {
    thin: 'The receiver reads the rest with a credential of its own.',
    full: 'Whoever receives the requests can read all of it.',
  },
  from: 'Start with',
  starts: { now: 'What happens from now on', beginning: 'Everything that has happened so far' },
  submit: 'Create webhook',
}

export const webhookTexts = {
  title: 'Webhook',
  unknownTitle: 'There is no such webhook',
  unknownText: 'It may have been deleted, or belong to somebody else.',
  state: 'State',
  lag: 'Waiting to be sent',
  target: 'About',
  sends: 'Sends',
  owner: 'Created by',
  rotated: 'Secret replaced',
  failingSince: 'Failing since',
  nextAttempt: ', next attempt at',
  retryNow: 'Retry now',
  test: 'Send a test',
  askAgain: 'Ask the receiver again',
  tested: (status: number, ms: number) => `Delivered: answered ${status} in ${ms} ms.`,
  testFailed: (why: string) => `Not delivered: ${why}.`,
  edit: 'Edit…',
  pause: 'Pause',
  enable: 'Enable',
  replay: 'Replay…',
  rotate: 'Replace secret…',
  rotateTitle: 'Replace the secret?',
  rotateText: 'For 24 hours, requests are signed with both, so that the receiver has the time to change.',
  rotateSubmit: 'Replace secret',
  menu: 'More about this webhook',
  delete: 'Delete…',
  deleteTitle: 'Delete this webhook?',
  deleteText: 'Nothing more is sent, and what was waiting never is. This cannot be undone.',
  deleteSubmit: 'Delete',
  attempts: 'Last attempts',
  noAttempts: 'Nothing was sent yet. A test shows at once whether the address can be reached.',
  delivered: 'Delivered',
  failed: 'Failed',
  typeOf: {
    'events.appended': (count: number) => `${count.toLocaleString()} ${count === 1 ? 'event' : 'events'}`,
    'decision.changed': (count: number) => `${count.toLocaleString()} ${count === 1 ? 'act' : 'acts'} on decisions`,
    'attention.raised': () => 'Something in the inbox',
    'webhook.challenge': () => 'The question whether it wants requests',
    'webhook.test': () => 'A test',
  },
  answered: (status: number) => `Answered ${status}`,
  took: (ms: number) => (ms < 1_000 ? `after ${ms} ms` : `after ${(ms / 1_000).toFixed(1)} s`),
}

export const editWebhookTexts = {
  title: 'Edit webhook',
  text: 'What is waiting goes to the new URL, too. What you add begins with what happens from now on.',
}

export const replayWebhookTexts = {
  title: 'Replay',
  text: 'The webhook continues from another point. A receiver can tell by the ids of the events what it has had before.',
  since: 'Continue from',
  places: {
    beginning: 'The beginning',
    event: 'A certain event',
    now: 'Now',
  },
  hints: {
    beginning: 'Everything that has ever happened is sent again, in order.',
    event: 'What came after it is sent again, in order.',
    now: 'What is waiting is skipped and never sent.',
  },
  event: 'Event ID',
  eventHint: 'You find it in the details of a message.',
  submit: 'Replay',
}
