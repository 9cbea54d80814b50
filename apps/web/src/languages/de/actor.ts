import { number } from '../format'
import type { Texts } from '../translation'

export const conversationTexts: Texts['actor']['conversationTexts'] = {
  to: 'An',
  hint: 'Personen und Agenten. Eine Unterhaltung behält ihre anfänglichen Mitglieder, und nur sie können mitlesen.',
  tooMany: (limit) => `Höchstens ${number(limit)}: Erstelle für mehr einen privaten Space.`,
  submit: 'Beginnen',
}

export const cardTexts: Texts['actor']['cardTexts'] = {
  title: (name) => `Über ${name}`,
  unknown: 'Keine Angaben verfügbar: nicht mehr hier, oder ihr habt keinen gemeinsamen Space.',
  connected: 'Verbunden seit',
  lastSeen: 'Zuletzt gesehen',
  workingIn: 'Arbeitet in',
  until: (time) => ` bis ${time}`,
  spaces: 'Gemeinsame Spaces:',
  moreSpaces: (count) => ` und ${number(count)} weitere`,
  noSpaces: 'Keine gemeinsamen Spaces',
  talk: 'Nachricht',
  talkWith: (name) => `Nachricht nur an ${name}`,
}
