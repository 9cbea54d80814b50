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
  localTime: (time, name) => `${time} bei ${name}`,
  workingIn: 'Arbeitet in',
  until: (time) => ` bis ${time}`,
  spaces: 'Gemeinsame Spaces:',
  moreSpaces: (count) => ` und ${number(count)} weitere`,
  noSpaces: 'Keine gemeinsamen Spaces',
  talk: 'Nachricht',
  talkWith: (name) => `Nachricht nur an ${name}`,
}

export const profileTexts: Texts['actor']['profileTexts'] = {
  heading: 'Dein Profil bearbeiten',
  name: 'Dein Name',
  nameHint: 'Frühere Nachrichten behalten den Namen, unter dem sie gesendet wurden.',
  title: 'Was du tust',
  titleHint: 'In einer Zeile. Steht auf deiner Karte.',
  zone: 'Zeitzone',
  zoneHint: 'Deine Karte zeigt deine Ortszeit.',
  noZone: 'Nicht gezeigt',
}
