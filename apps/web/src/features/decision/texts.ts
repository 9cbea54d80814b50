export const decisionsTexts = {
  heading: 'Decisions',
  title: (space: string) => `Decisions of ${space}`,
  back: (space: string) => `Back to ${space}`,
  open: (count: number) => (count === 0 ? 'Decisions' : `Decisions, ${count} open`),
  emptyTitle: 'No decisions yet',
  emptyText:
    'Propose something. Others approve it, somebody settles it with a reason, and who did what stays on record.',
  nothing: {
    proposed: 'Nothing is open. Agents can propose, too, when they need a human.',
    resolved: 'Resolved decisions stay in force until another one replaces them.',
    rejected: 'Rejected decisions stay here, with the reason.',
  },
  more: (count: number) => `Show more (${count.toLocaleString()})`,
}

export const decisionTexts = {
  title: 'Decision',
  unknownTitle: 'There is no such decision',
  unknownText: 'The address may be mistyped.',
  statuses: { proposed: 'Proposed', resolved: 'Resolved', rejected: 'Rejected' },
  settledBy: { proposed: 'Proposed by', resolved: 'Resolved by', rejected: 'Rejected by' },
  superseded: 'Superseded',
  supersedesOne: 'Replaces another',
  reviewDue: 'Review due',
  approvals: (given: number, required: number) =>
    required === 0
      ? given === 1
        ? '1 approval'
        : `${given} approvals`
      : `${given} of ${required} ${required === 1 ? 'approval' : 'approvals'}`,
  approvalsTitle: 'Approvals',
  notCounted: 'Not counted:',
  notCountedBecause: {
    proposer: 'on the side of the proposer',
    deleted: 'deleted',
    departed: 'has left',
    disabled: 'disabled',
    stopped: 'stopped',
    same_human: 'another of the same human counts',
  },
  assignees: 'Assigned to',
  supersedes: 'Replaces',
  supersededBy: 'Superseded by',
  reason: 'Reason',
  receipt: 'Download a receipt',
  replace: 'Propose a replacement',
  acts: 'Who did what, and by which right',
  did: {
    proposed: 'proposed it',
    reviewed: { approve: 'approved it', reject: 'does not approve it' },
    settled: { resolved: 'resolved it', rejected: 'rejected it' },
    superseded: 'had it superseded',
  },
  asked: (names: readonly string[]) => `Asked ${names.join(', ')} to settle it`,
  successor: 'The decision that took its place',
  asHuman: 'As a human',
  asAgent: (sponsor: string | null) => (sponsor === null ? 'As an agent' : `As an agent of ${sponsor}`),
  withKey: 'with the API key',
  withToken: (id: string) => `with the token ${id}`,
  approve: 'Approve',
  withdraw: 'Take approval back',
  resolve: 'Resolve',
  reject: 'Reject',
  hindrances: {
    humans: 'Only humans settle decisions here.',
    named: 'You are not among those who settle decisions here.',
    proposer: 'Here, whoever proposed a decision does not settle it.',
    superseded: 'Another decision has taken its place.',
    approvals: (missing: number) =>
      `It needs ${missing} more ${missing === 1 ? 'approval' : 'approvals'} before it can be resolved.`,
  },
}

export const proposeTexts = {
  title: 'Propose a decision',
  lead: 'Everybody in the space sees it. It is open until somebody resolves or rejects it.',
  replaces: 'When it is resolved, it takes the place of',
  text: 'What is to be decided?',
  textHint: 'As it should read once it is decided. Markdown works.',
  assignees: 'Who should settle it?',
  assigneesHint: 'It waits for them on their home page.',
  reviewOn: 'Review on',
  reviewOnHint: 'It is marked as due on that day. Nothing changes by itself.',
  submit: 'Propose',
}

export const reviewTexts = {
  note: 'Note for the others',
  approve: { title: 'Approve this decision?', text: 'You can take it back until it is settled.', submit: 'Approve' },
  reject: {
    title: 'Take your approval back?',
    text: 'Your earlier approval stays on record.',
    submit: 'Take it back',
  },
}

export const settleTexts = {
  reasonHint: 'What someone who reads this in a year should know.',
  resolved: {
    title: 'Resolve this decision?',
    text: 'It is in force from then on. This cannot be undone.',
    submit: 'Resolve',
  },
  rejected: {
    title: 'Reject this decision?',
    text: 'It stays on record with the reason. This cannot be undone.',
    submit: 'Reject',
  },
}
