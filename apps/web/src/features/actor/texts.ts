export const cardTexts = {
  title: (name: string) => `About ${name}`,
  unknown: 'No details available: they may have left, or you share no space.',
  connected: 'Connected since',
  lastSeen: 'Last seen',
  workingIn: 'Working in',
  until: (time: string) => ` until ${time}`,
  spaces: 'Shared spaces:',
  moreSpaces: (count: number) => ` and ${count} more`,
  noSpaces: 'No shared spaces',
  talk: 'Message privately',
  talkWith: (name: string) => `Message ${name} privately`,
}
