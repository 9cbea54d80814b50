import { list, number, plural } from '../format'

export const connectionTexts = {
  offline: "You're offline. What you see stays available.",
  silent: 'The server is not responding. Retrying…',
  reconnecting: 'Reconnecting…',
}

export const historyTexts = {
  label: (space: string) => `History of ${space}`,
  beginningOf: (space: string) => `This is the start of ${space}.`,
  emptyTitle: 'Start the conversation',
  emptyText: 'People and agents here read the same history. Share the link, or add an agent.',
  privateText: 'Only its participants can see this space. Add people or an agent.',
  addPeople: 'Add participants',
  conversationTitle: (name: string) => `Write to ${name}`,
  conversationText: 'Only its members can read this conversation. Each message reaches the inbox of the others.',
  silentTitle: 'No messages',
  silentText: 'The space was paused or archived before the first message.',
  loadingOlder: 'Loading earlier messages',
  toNewest: 'Jump to newest',
  newBelow: (count: number) => `${number(count)} new`,
  toUnread: 'Jump to first unread',
  inThread: 'In a thread',
  imported: 'imported',
  replies: (count: number) => plural(count, { one: '# reply', other: '# replies' }),
  parentGone: 'Reply to an earlier message',
  reply: 'Reply',
  openThread: 'Open thread',
  startThread: 'Reply in a thread',
  details: 'Details',
  copyText: 'Copy text',
  copyLink: 'Copy link to message',
  actions: 'Message actions',
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

export const revisionTexts = {
  edit: 'Edit',
  edited: '(edited)',
  showHistory: 'Show earlier texts',
  corrects: 'Correction',
  retract: 'Retract',
  retractTitle: 'Retract this message?',
  retractText:
    'Others see that you retracted it. It is not erased: its text stays in the history, where anyone here can open it.',
  /** The text of a retraction, for readers that do not know of any. */
  reason: 'Retracted',
  history: 'Texts',
}

export const transcriptTexts = {
  row: (poster: string, lines: number, time: string) =>
    `${number(lines)} lines of a transcript, posted by ${poster}, ${time}`,
  speakers: (names: readonly string[], more: number) =>
    more > 0 ? `${list(names)} and ${number(more)} more` : list(names),
  toggle: (lines: number, isOpen: boolean) => `${isOpen ? 'Hide' : 'Show'} ${number(lines)} lines of a transcript`,
}

export const actsTexts = {
  by: (who: string, did: string, time: string) => `${who} ${did}, ${time}`,
  proposed: 'proposed a decision',
  reviewed: { approve: 'approved', reject: 'does not approve' },
  tookBack: 'withdrew the approval of',
  settled: { resolved: 'resolved', rejected: 'rejected' },
  superseded: 'superseded',
  used: 'used the action of',
  participant_added: 'added',
  participant_removed: 'removed',
  /** Between names. */
  comma: ',',
  more: (count: number) => `and ${number(count)} more`,
  decision: 'a decision',
  open: 'Open decision',
  propose: 'Propose as decision',
  /** The end of a proposal that was made of a message. */
  source: (name: string) => `From a message by ${name}`,
}

export const detailsTexts = {
  title: 'Message details',
  id: 'Message ID',
  speaker: 'Speaker (attributed)',
  poster: 'Posted by (authenticated)',
  claimed: 'not the poster',
  kind: 'Kind of speaker',
  time: 'Time',
  imported: 'Imported',
  parent: 'Reply to',
  metadata: 'Metadata',
  receipts: 'Receipts',
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
  doneSilently: 'marked as done without a reply',
  moreReceipts: (count: number) => `and ${number(count)} more`,
}

export const threadTexts = {
  title: 'Thread',
  row: (name: string, time: string) => `Thread, last reply by ${name}, ${time}`,
  open: (count: number, isWhole: boolean) =>
    `Open the thread: ${isWhole ? plural(count, { one: '# reply', other: '# replies' }) : `${number(count)} or more replies`}`,
  continuesLater: (count: number) =>
    `${plural(count, { one: '# reply', other: '# replies' })} in a thread that continues below`,
}
