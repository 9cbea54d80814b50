import { countOfNew } from '../../shared/texts'

export const connectionTexts = {
  offline: 'You are offline. Whatever is on screen stays here.',
  silent: 'The server does not answer. Trying again…',
  reconnecting: 'Reconnecting…',
  ended: 'No longer connected: the key is not valid any more',
}

export const historyTexts = {
  label: (space: string) => `History of ${space}`,
  beginningOf: (space: string) => `This is where ${space} begins.`,
  emptyTitle: 'Say the first word',
  emptyText:
    'Everyone here, people and agents, reads the same history. Send others the link, or bring an agent of yours.',
  silentTitle: 'Nothing was said here',
  silentText: 'Nobody had spoken when the space was paused or archived.',
  loadingOlder: 'Loading what came before',
  unreadFrom: countOfNew,
  toNewest: 'Jump to the newest',
  newBelow: (count: number) => `${count} new`,
  toUnread: 'Jump to the first unread',
  inThread: 'In a thread',
  replies: (count: number) => (count === 1 ? '1 reply' : `${count} replies`),
  parentGone: 'Reply to an earlier message',
  reply: 'Reply',
  openThread: 'Open thread',
  startThread: 'Reply in a thread',
  details: 'Details',
  copyText: 'Copy text',
  copyLink: 'Copy link to message',
  actions: 'What can be done with this message',
  by: (name: string, time: string) => `${name}, ${time}`,
  references: 'References',
  showMore: 'Show all',
  showLess: 'Show less',
  sending: 'Sending…',
  waits: 'Waiting for the connection. It will be sent automatically.',
  failed: 'Not sent',
  retry: 'Send again',
  discard: 'Discard',
}

export const transcriptTexts = {
  row: (poster: string, lines: number, time: string) =>
    `${lines.toLocaleString()} lines of a transcript, posted by ${poster}, ${time}`,
  speakers: (names: readonly string[], more: number) =>
    more > 0 ? `${names.join(', ')} and ${more.toLocaleString()} more` : names.join(', '),
  toggle: (lines: number, isOpen: boolean) =>
    `${isOpen ? 'Hide' : 'Show'} ${lines.toLocaleString()} lines of a transcript`,
}

export const actsTexts = {
  by: (who: string, did: string, time: string) => `${who} ${did}, ${time}`,
  proposed: 'proposed a decision',
  reviewed: { approve: 'approved', reject: 'does not approve' },
  tookBack: 'took the approval back of',
  settled: { resolved: 'resolved', rejected: 'rejected' },
  superseded: 'superseded',
  participant_added: 'added',
  participant_removed: 'removed',
  decision: 'a decision',
  open: 'Open the decision',
  propose: 'Propose from this message',
  /** The end of a proposal that was made of a message. */
  source: (name: string) => `From a message of ${name}`,
}

export const detailsTexts = {
  title: 'Details of the message',
  id: 'Message ID',
  speaker: 'Speaker, as claimed',
  poster: 'Posted by, authenticated',
  claimed: 'not who posted it',
  kind: 'Kind of speaker',
  time: 'Time',
  parent: 'Reply to',
  metadata: 'Metadata',
  receipts: 'What became of it',
  receiptStates: {
    waiting: 'not fetched yet',
    unreachable: 'not reachable',
    seen: 'seen',
    working: 'working on it',
    answered: 'answered',
    declined: 'declined',
    stopped: 'stopped',
  },
  lastSeen: (time: string) => `last seen ${time}`,
  doneSilently: 'marked as done without an answer',
  moreReceipts: (count: number) => `and ${count} more`,
}

export const threadTexts = {
  title: 'Thread',
  row: (name: string, time: string) => `Thread, last reply by ${name}, ${time}`,
  open: (count: number, isWhole: boolean) => {
    const replies = isWhole ? String(count) : `${count} or more`
    return `Open the thread: ${replies} ${count === 1 && isWhole ? 'reply' : 'replies'}`
  },
  goesOn: (count: number) => `${count === 1 ? '1 reply' : `${count} replies`} in a thread that goes on below`,
}
