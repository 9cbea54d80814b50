import { number, plural } from '../format'

export const webhooksTexts = {
  titles: { own: 'Your webhooks', tenant: 'Webhooks' },
  create: 'New webhook',
  emptyTitle: 'Notify another service',
  emptyText:
    'A webhook sends signed requests to your URL for what happens in a space or arrives in an inbox: in order, retried after failures, without gaps.',
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
    'Nothing is sent until the receiver returns its challenge. Set it up with the secret, then send the challenge again.',
  ends: {
    disabled: 'Nothing is sent. Once enabled, it continues where it left off.',
    gone: 'The receiver answered 410 Gone. Enable the webhook to continue where it left off.',
    failing:
      'Every request failed for three days. Fix the receiver, then enable the webhook to continue where it left off.',
    owner_left: 'Its owner has left the organization.',
    credential_revoked: 'The credential that created it was revoked.',
  },
  target: {
    space: (name: string) => `Space ${name}`,
    ownInbox: 'Your inbox',
    inbox: (name: string) => `Inbox of ${name}`,
  },
  of: (name: string) => `of ${name}`,
  lag: (count: number) => (count === 0 ? 'Nothing pending' : `${number(count)} pending`),
  nothingSent: 'nothing sent yet',
  lastOk: 'last delivered',
  lastFailed: (why: string) => `last attempt failed (${why})`,
  secret: {
    title: 'Webhook secret',
    text: 'The receiver verifies requests with it, as the Standard Webhooks libraries do. It is shown only once; later, you can only replace it.',
    label: 'Secret',
  },
}

export const createWebhookTexts = {
  text: 'Requests are signed as in Standard Webhooks. The receiver must first return a challenge. From then on, a 2xx response counts as delivered; after anything else, the same request is retried.',
  url: 'URL',
  urlHint: 'Where requests are sent. Starts with https://.',
  about: 'About',
  abouts: { space: 'A space', inbox: 'An inbox' },
  aboutHints: {
    space: 'For a service that follows a space.',
    inbox: 'To wake an agent when it is needed: mentions, replies, conversations and decisions to settle.',
  },
  space: 'Space',
  inbox: 'Inbox of',
  types: 'What to send',
  typeNames: {
    'events.appended': 'Messages',
    'decision.changed': 'Decisions',
    'attention.raised': 'Inbox items',
  },
  payload: 'Content',
  payloads: { thin: 'IDs only', full: 'Full content' },
  payloadHints: {
    thin: 'The receiver reads the rest with its own credential.',
    full: 'The receiver gets all of it.',
  },
  from: 'Start with',
  starts: { now: 'New messages only', beginning: 'All past messages' },
  submit: 'Create webhook',
}

export const webhookTexts = {
  title: 'Webhook',
  unknownTitle: 'Webhook not found',
  unknownText: 'It may have been deleted, or you may not have access.',
  state: 'State',
  lag: 'Pending',
  target: 'About',
  sends: 'Sends',
  owner: 'Created by',
  rotated: 'Secret replaced',
  failingSince: 'Failing since',
  nextAttempt: ', next attempt at',
  retryNow: 'Retry now',
  test: 'Send a test',
  askAgain: 'Send the challenge again',
  tested: (status: number, ms: number) => `Delivered: answered ${status} in ${ms} ms.`,
  testFailed: (why: string) => `Not delivered: ${why}.`,
  edit: 'Edit…',
  pause: 'Pause',
  enable: 'Enable',
  replay: 'Replay…',
  rotate: 'Replace secret…',
  rotateTitle: 'Replace the secret?',
  rotateText: 'For 24 hours, requests are signed with both secrets, so that the receiver has time to switch.',
  rotateSubmit: 'Replace secret',
  menu: 'Webhook actions',
  delete: 'Delete…',
  deleteTitle: 'Delete this webhook?',
  deleteText: 'Sending stops, and pending messages are discarded. This cannot be undone.',
  deleteSubmit: 'Delete',
  attempts: 'Recent attempts',
  noAttempts: 'Nothing sent yet. Send a test to check that the URL is reachable.',
  delivered: 'Delivered',
  failed: 'Failed',
  typeOf: {
    'events.appended': (count: number) => plural(count, { one: '# message', other: '# messages' }),
    'decision.changed': (count: number) => plural(count, { one: '# act on decisions', other: '# acts on decisions' }),
    'attention.raised': () => 'Inbox item',
    'webhook.challenge': () => 'Challenge',
    'webhook.test': () => 'Test',
  },
  answered: (status: number) => `Answered ${status}`,
  took: (ms: number) => (ms < 1_000 ? `after ${number(ms)} ms` : `after ${number(Math.round(ms / 100) / 10)} s`),
}

export const editWebhookTexts = {
  title: 'Edit webhook',
  text: 'Pending messages go to the new URL, too. What you add starts from now on.',
}

export const replayWebhookTexts = {
  title: 'Replay',
  text: 'The webhook continues from another point. The receiver can recognize repeats by event ID.',
  since: 'Continue from',
  places: {
    beginning: 'The beginning',
    event: 'A specific message',
    now: 'Now',
  },
  hints: {
    beginning: 'All past messages are sent again, in order.',
    event: 'Messages after it are sent again, in order.',
    now: 'Pending messages are skipped and never sent.',
  },
  event: 'Message ID',
  eventHint: 'See the details of a message.',
  submit: 'Replay',
}
