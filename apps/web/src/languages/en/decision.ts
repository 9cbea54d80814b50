import { list, number, plural } from '../format'

export const allDecisionsTexts = {
  lead: 'Of all spaces that you have joined, newest first.',
  filter: 'Show',
  filters: { waiting: 'Waiting for anyone', waiting_for_me: 'Waiting for you', in_force: 'In force' },
  space: 'Space',
  allSpaces: 'All your spaces',
  more: 'Show more',
  nothing: {
    waiting: { title: 'Nothing to decide', text: 'Proposals appear here until they are settled, replaced or expired.' },
    waiting_for_me: { title: 'Nothing waits for you', text: 'Proposals that you are asked to settle appear here.' },
    in_force: { title: 'Nothing decided yet', text: 'Resolved decisions appear here until another one replaces them.' },
  },
}

export const decisionsTexts = {
  heading: 'Decisions',
  title: (space: string) => `Decisions in ${space}`,
  back: (space: string) => `Back to ${space}`,
  open: (count: number) => (count === 0 ? 'Decisions' : `Decisions, ${number(count)} open`),
  emptyTitle: 'No decisions yet',
  emptyText: 'Propose one. It is approved, then settled with a reason, and who did what stays on record.',
  nothing: {
    proposed: 'No open decisions. Agents can propose, too, when they need a human.',
    resolved: 'Resolved decisions stay in force until another one replaces them.',
    rejected: 'Rejected decisions stay here, with the reason.',
  },
  more: (count: number) => `Show more (${number(count)})`,
}

export const decisionTexts = {
  title: 'Decision',
  unknownTitle: 'Decision not found',
  unknownText: 'The address may be mistyped.',
  statuses: { proposed: 'Proposed', resolved: 'Resolved', rejected: 'Rejected' },
  settledBy: { proposed: 'Proposed by', resolved: 'Resolved by', rejected: 'Rejected by' },
  superseded: 'Superseded',
  supersedesOne: 'Replaces another',
  reviewDue: 'Review due',
  expired: 'Expired',
  used: 'Used',
  approvals: (given: number, required: number) =>
    required === 0
      ? plural(given, { one: '# approval', other: '# approvals' })
      : `${number(given)} of ${plural(required, { one: '# approval', other: '# approvals' })}`,
  approvalsTitle: 'Approvals',
  notCounted: 'Not counted:',
  notCountedBecause: {
    proposer: 'on the proposer’s side',
    deleted: 'deleted',
    departed: 'has left',
    disabled: 'disabled',
    stopped: 'stopped',
    same_human: 'another approval of the same human counts',
  },
  assignees: 'Assigned to',
  supersedes: 'Replaces',
  supersededBy: 'Superseded by',
  reason: 'Reason',
  receipt: 'Download receipt',
  replace: 'Propose a replacement',
  acts: 'Audit trail',
  did: {
    proposed: 'proposed it',
    reviewed: { approve: 'approved it', reject: 'does not approve it' },
    settled: { resolved: 'resolved it', rejected: 'rejected it' },
    superseded: 'replaced it',
    used: 'used its action',
  },
  folded: {
    proposed: (name: string) => `Proposed by ${name}`,
    reviewed: { approve: (name: string) => `approved by ${name}`, reject: (name: string) => `not approved by ${name}` },
    counted: {
      approve: (count: number) => `approved by ${number(count)}`,
      reject: (count: number) => `not approved by ${number(count)}`,
    },
    settled: { resolved: (name: string) => `resolved by ${name}`, rejected: (name: string) => `rejected by ${name}` },
    superseded: 'replaced by another',
    used: (name: string) => `used by ${name}`,
  },
  asked: (names: readonly string[]) => `Asked ${list(names)} to settle it`,
  successor: 'The decision that replaced it',
  asHuman: 'As a human',
  asAgent: (sponsor: string | null) => (sponsor === null ? 'As an agent' : `As an agent of ${sponsor}`),
  withKey: 'with the API key',
  withToken: (id: string) => `with the token ${id}`,
  discuss: (count: number) => (count === 0 ? 'Discuss' : `Discuss (${number(count)})`),
  approve: 'Approve',
  withdraw: 'Withdraw approval',
  resolve: 'Resolve',
  reject: 'Reject',
  obstacles: {
    humans: 'Only humans settle decisions here.',
    named: 'You are not allowed to settle decisions here.',
    proposer: 'In this space, the proposer cannot settle a decision.',
    superseded: 'Another decision has replaced it.',
    expired: 'It has expired: it can only be rejected.',
    approvals: (missing: number) =>
      plural(missing, {
        one: 'It needs # more approval before it can be resolved.',
        other: 'It needs # more approvals before it can be resolved.',
      }),
  },
}

export const authorizationTexts = {
  label: 'Action',
  arguments: 'Arguments',
  editedArguments: 'Arguments, as edited',
  raw: 'As JSON',
  chosen: 'Chosen',
  expires: 'Expires',
  expired: 'Expired',
  usedBy: 'Used by',
}

export const proposeTexts = {
  title: 'Propose a decision',
  lead: 'Visible to everyone in the space. It stays open until it is resolved or rejected.',
  replaces: 'When resolved, it replaces',
  text: 'What should be decided?',
  textHint: 'As it should read once resolved. Markdown supported.',
  assignees: 'Who should settle it?',
  assigneesHint: 'It appears in their inbox.',
  reviewOn: 'Review on',
  reviewOnHint: 'It is marked as due on that day. Nothing else happens automatically.',
  submit: 'Propose',
}

export const reviewTexts = {
  note: 'Note for participants',
  approve: {
    title: 'Approve this decision?',
    text: 'You can withdraw it until the decision is settled.',
    submit: 'Approve',
  },
  reject: {
    title: 'Withdraw your approval?',
    text: 'Your earlier approval stays on record.',
    submit: 'Withdraw',
  },
}

export const settleTexts = {
  reasonHint: 'What a reader should know a year from now.',
  choose: (label: string) => `${label}?`,
  denies: 'This answer permits nothing.',
  permits: 'This answer permits the action, once.',
  arguments: 'Arguments of the action',
  argumentsHint: 'A JSON object. If you change it, only what you write here is permitted.',
  argumentsProblem: 'This is not a JSON object, or has a number that loses digits: write it as text.',
  resolved: {
    title: 'Resolve this decision?',
    text: 'It takes effect immediately. This cannot be undone.',
    submit: 'Resolve',
  },
  rejected: {
    title: 'Reject this decision?',
    text: 'It stays on record with the reason. This cannot be undone.',
    submit: 'Reject',
  },
}
