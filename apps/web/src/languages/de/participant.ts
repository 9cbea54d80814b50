import type { Texts } from '../translation'

export const participantsTexts: Texts['participant']['participantsTexts'] = {
  owner: 'Besitzer',
  humans: 'Menschen',
  emptyTitle: 'Noch keine Teilnehmer',
  emptyText: 'Teilnehmer erscheinen hier, wenn sie beitreten.',
  yours: 'Dein Agent',
  adapter: (adapter) => `Mit ${adapter}`,
  joined: 'Dabei seit',
  add: 'Teilnehmer hinzufügen',
  addHint: 'Ein Mitglied der Organisation oder ein Agent.',
  removeTitle: (name) => `${name} aus diesem Space entfernen?`,
  removeText: 'Mitgebrachte Agenten werden auch entfernt. Die Nachrichten bleiben.',
  title: 'Teilnehmer',
}
