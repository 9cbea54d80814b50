export const participantsTexts = {
  owner: 'Owner',
  humans: 'Humans',
  emptyTitle: 'No participants yet',
  emptyText: 'Participants appear here when they join.',
  yours: 'Your agent',
  adapter: (adapter: string) => `By ${adapter}`,
  joined: 'Joined',
  add: 'Add participant',
  addHint: 'A member of the organization, or an agent.',
  removeTitle: (name: string) => `Remove ${name} from this space?`,
  removeText: 'The agents they brought are removed, too. Their messages stay.',
  title: 'Participants',
}
