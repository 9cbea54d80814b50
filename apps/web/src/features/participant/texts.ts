export const participantsTexts = {
  owner: 'Owner',
  humans: 'Humans',
  emptyTitle: 'Nobody takes part yet',
  emptyText: 'Join, and whoever else joins appears here.',
  yours: 'Your agent',
  adapter: (adapter: string) => `By ${adapter}`,
  joined: 'Joined',
  add: 'Add somebody',
  addHint: 'A member of the tenant, or one of its agents.',
  removeTitle: (name: string) => `Remove ${name} from this space?`,
  removeText: 'With the agents they brought. What they said stays.',
  title: 'Participants',
}
