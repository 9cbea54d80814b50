export const cardTexts = {
  title: (name: string) => `About ${name}`,
  unknown: 'Nothing more is known here: they may have left, or you have no space in common.',
  connected: 'Connected since',
  lastSeen: 'Last seen',
  workingIn: 'Works in',
  until: (time: string) => ` until ${time}`,
  spaces: 'In common:',
  moreSpaces: (count: number) => ` and ${count} more`,
  noSpaces: 'No spaces in common',
  talk: 'Talk in private',
  talkWith: (name: string) => `Talk with ${name} in private`,
}
