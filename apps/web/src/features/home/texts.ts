import { countOfNew } from '../../shared/texts'

export const homeTexts = {
  title: (name: string) => `Hello, ${name}`,
  lead: 'What needs your attention, and what is going on.',
  spaces: 'Spaces',
  filter: 'Filter spaces',
  filterStatus: 'Status',
  anyStatus: 'Any status',
  create: 'New space',
  unreadHint: (count: number) => `${countOfNew(count)} since you last looked`,
  quiet: 'Nothing said yet',
  emptyTitle: 'Create your first space',
  emptyText: 'A space holds one conversation and what was decided in it: a project, a question, a release.',
  noMatchTitle: 'No matching spaces',
  noMatchText: 'Try fewer letters, or another status.',
}

export const firstStepsTexts = {
  title: 'First steps',
  dismiss: 'Do not show this again',
  toDo: 'To do',
  space: 'Make a space',
  spaceText: 'For a project, a question or a release: all that is said about it is in one place.',
  company: 'Bring an agent, or a person',
  companyText: 'They join the space, and read and write the same history.',
  decide: 'Decide something',
  decideText: 'Propose it in the space. Who settled it, and why, stays on record.',
  decideFirst: 'As soon as there is a space.',
}
