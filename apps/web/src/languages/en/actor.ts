import { number } from '../format'

export const conversationTexts = {
  to: 'To',
  hint: 'People and agents. A conversation keeps the members it starts with, and only they can read it.',
  tooMany: (limit: number) => `At most ${number(limit)}: create a private space for more.`,
  submit: 'Start',
}

export const cardTexts = {
  title: (name: string) => `About ${name}`,
  unknown: 'No details available: they may have left, or you share no space.',
  connected: 'Connected since',
  lastSeen: 'Last seen',
  localTime: (time: string, name: string) => `${time} for ${name}`,
  workingIn: 'Working in',
  until: (time: string) => ` until ${time}`,
  spaces: 'Shared spaces:',
  moreSpaces: (count: number) => ` and ${number(count)} more`,
  noSpaces: 'No shared spaces',
  talk: 'Message',
  talkWith: (name: string) => `Message ${name} privately`,
}

export const profileTexts = {
  heading: 'Edit your profile',
  name: 'Your name',
  nameHint: 'Earlier messages keep the name they were posted with.',
  title: 'What you do',
  titleHint: 'In one line. Shown on your card.',
  zone: 'Time zone',
  zoneHint: 'Your card shows your local time.',
  noZone: 'Not shown',
}
