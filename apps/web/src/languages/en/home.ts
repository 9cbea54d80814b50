import { unreadCount } from '../format'

export const homeTexts = {
  title: (name: string) => `Hello, ${name}`,
  lead: 'What needs your attention, and what is new.',
  spaces: 'Spaces',
  filter: 'Filter spaces',
  filterStatus: 'Status',
  anyStatus: 'Any status',
  create: 'New space',
  unreadHint: (count: number) => `${unreadCount(count)} new since your last visit`,
  quiet: 'No messages yet',
  emptyTitle: 'Create your first space',
  emptyText: 'A space holds one conversation and its decisions: a project, a question, a release.',
  guestTitle: 'No spaces yet',
  guestText: 'You are a guest here. Spaces appear once you are added to them.',
  noMatchTitle: 'No matching spaces',
  noMatchText: 'Try a shorter filter, or another status.',
}

export const firstStepsTexts = {
  title: 'Get started',
  dismiss: "Don't show this again",
  toDo: 'To do',
  space: 'Create a space',
  spaceText: 'For a project, a question or a release: everything about it is in one place.',
  company: 'Add an agent or a person',
  companyText: 'They join the space, and read and write the same history.',
  decide: 'Make a decision',
  decideText: 'Propose it in the space. Who settled it, and why, stays on record.',
  decideFirst: 'Available once you have a space.',
}
