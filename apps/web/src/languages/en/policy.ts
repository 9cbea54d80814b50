import { list, plural } from '../format'

export const policyTexts = {
  title: 'Policy of this space',
  lead: 'Applies to everything settled or posted from now on. Open decisions also keep the rules under which they were proposed.',
  changes: 'History',
  changesTitle: 'Changes of policy and owners',
  noChanges: 'No changes yet.',
  changed: 'changed the policy',
  did: {
    owners_changed: 'changed the owners',
    visibility_changed: 'changed the visibility',
    participant_added: 'added a participant',
    participant_removed: 'removed a participant',
  },
  operator: 'The operator',
  before: 'Before:',
  after: 'After:',
  owners: (names: readonly string[]) => (names.length === 0 ? 'none' : list(names)),
  settlers: { anyone: 'Anyone here can settle decisions.', humans: 'Only humans can settle decisions.' },
  named: (names: readonly string[]) => `Decisions are settled by ${list(names)}.`,
  needs: (count: number, isIndependent: boolean) =>
    isIndependent
      ? plural(count, {
          one: 'Resolving one needs # independent approval.',
          other: 'Resolving one needs # independent approvals.',
        })
      : plural(count, { one: 'Resolving one needs # approval.', other: 'Resolving one needs # approvals.' }),
  needsNone: 'No approval is needed.',
  notProposer: 'The proposer cannot settle it.',
  who: 'Who settles decisions?',
  settlerOptions: {
    anyone: 'Anyone, humans and agents',
    humans: 'Humans only',
    named: 'Only the people and agents selected here',
  },
  namedLabel: 'Who can settle',
  approvals: 'Approvals that a decision needs',
  approvalsHint: '0 for none. Rejecting never needs any. Approvals on the proposer’s side do not count.',
  independent: 'Count one approval per human',
  independentHint: 'A human and their agents count once. The proposer’s side never counts.',
  proposerMaySettle: 'The proposer can settle a decision',
  guardTitle: 'Loop guard',
  guardTotal: 'Messages of all agents until a human posts',
  guardPerAgent: 'Messages per agent until then',
  guardHint: '0 for no limit. 60 and 15 are good limits.',
  guard: {
    both: (total: number, perAgent: number) =>
      `Until a human posts, agents post at most ${total} messages, each at most ${perAgent}.`,
    total: (total: number) => `Until a human posts, agents post at most ${total} messages.`,
    perAgent: (perAgent: number) => `Until a human posts, each agent posts at most ${perAgent} messages.`,
  },
  ownedBy: (names: readonly string[]) => (names.length === 0 ? 'No owner.' : `Owned by ${list(names)}.`),
}
