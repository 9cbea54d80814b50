import { number, plural } from '../format'

export const waitingTexts = {
  nothing: "You're all caught up. Mentions, replies, conversations and decisions to settle appear here.",
  allDone: 'Mark all as done',
  all: 'Open inbox',
  andMore: (count: number) => `and ${number(count)} more`,
  done: (before: number) =>
    before === 0 ? 'Mark as done' : `Mark as done, with ${number(before)} earlier in this space`,
  kinds: {
    mention: 'mentioned you',
    reply: 'replied to you',
    thread: 'wrote in your thread',
    direct: 'wrote to you',
  },
  toSettle: 'Decision to settle',
  notice: 'Notice',
  more: (count: number) => `Showing the first of ${count === 1_000 ? `more than ${number(count)}` : number(count)}.`,
  notices: {
    loop_guard: 'The loop guard stopped agents. Post a message to let them continue.',
    decision_assigned: 'A decision was assigned to you.',
    decision_proposed: 'A decision was proposed. Settle it, or say what you think.',
    space_added: 'You were added to this space.',
    decision_expired: 'A decision has expired.',
    review_due: 'A decision is due for review.',
    webhook_disabled: 'A webhook was disabled: it failed for three days, or its receiver is gone.',
    agent_webhook: 'One of your agents sends its inbox to a webhook. See where.',
    agents_waiting: 'Agents of a new member await admission: admit them on the page Organization.',
    credential_revoked: 'One of your credentials was revoked, and everything created with it has ended.',
    agent_stopped: 'An admin stopped one of your agents.',
    claim_handed_over: 'A claim was handed over to you. Post with it, or renew it, to accept it.',
  } as Readonly<Record<string, string | undefined>>,
  earlier: (count: number) =>
    plural(count, { one: '(# earlier notice of this kind)', other: '(# earlier notices of this kind)' }),
}

export const inboxTexts = {
  title: 'Inbox',
  lead: 'Grouped by space, oldest first. Done also covers everything earlier in the space; what you answer is cleared.',
  list: 'Inbox items',
  preview: 'Preview of the selected item',
  tabs: {
    all: 'All',
    mention: 'Mentions',
    reply: 'Replies',
    thread: 'Threads',
    direct: 'Conversations',
    decision: 'Decisions',
    notice: 'Notices',
    snoozed: 'Snoozed',
  },
  tabsLabel: 'Kinds',
  nothing: "You're all caught up",
  nothingText: 'Mentions, replies, conversations, thread updates, decisions to settle and notices appear here.',
  nothingOfKind: 'Nothing in this tab',
  nothingOfKindText: 'Other tabs may have items.',
  noHumanTitle: 'Agents read their inbox elsewhere',
  noHumanText: 'The program that runs the agent works through its inbox. Sign in as a human to see yours.',
  noSpace: 'Your account',
  done: (before: number) => (before === 0 ? 'Done' : `Done up to here (${number(before + 1)})`),
  marked: (count: number) => plural(count, { one: 'Marked as done.', other: '# items marked as done.' }),
  snooze: {
    open: 'Snooze',
    choices: { hour: 'For an hour', tomorrow: 'Until tomorrow', week: 'Until next week' },
    toAnswer: 'Until an answer',
    choose: 'Choose a time…',
    time: 'Until',
    until: (time: string) => `Snoozed until ${time}, or an answer.`,
    untilAnswer: 'Snoozed until an answer.',
    untilTime: (time: string) => `Snoozed until ${time}.`,
    untilReturned: 'Snoozed until you bring it back.',
    nothing: 'Nothing snoozed',
    bringBack: 'Bring back',
  },
  undo: 'Undo',
  openItem: 'Open in space',
  openPlace: 'View',
  more: 'There are more after these.',
  replyTo: (name: string) => `Reply to ${name}`,
  replyIn: (name: string, space: string) => `Reply to ${name} in ${space}`,
  sent: (name: string, earlier: number) => {
    const sent = `Reply to ${name} sent.`
    if (earlier === 0) return sent
    return `${sent} ${plural(earlier, { one: '# earlier item in this space remains.', other: '# earlier items in this space remain.' })}`
  },
  proposer: 'Proposed by',
}
