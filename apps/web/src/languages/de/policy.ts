import { list, number, plural } from '../format'
import type { Texts } from '../translation'

export const policyTexts: Texts['policy']['policyTexts'] = {
  title: 'Regeln dieses Space',
  lead: 'Gelten für alles, was ab jetzt entschieden oder geschrieben wird. Offene Entscheidungen behalten auch die Regeln, unter denen sie vorgeschlagen wurden.',
  changes: 'Verlauf',
  changesTitle: 'Änderungen von Regeln und Besitzern',
  noChanges: 'Noch keine Änderungen.',
  changed: 'hat die Regeln geändert',
  did: {
    owners_changed: 'hat die Besitzer geändert',
    visibility_changed: 'hat die Sichtbarkeit geändert',
    participant_added: 'hat einen Teilnehmer hinzugefügt',
    participant_removed: 'hat einen Teilnehmer entfernt',
  },
  operator: 'Der Betreiber',
  before: 'Vorher:',
  after: 'Nachher:',
  owners: (names) => (names.length === 0 ? 'keine' : list(names)),
  settlers: {
    anyone: 'Alle hier können Entscheidungen treffen.',
    humans: 'Nur Menschen können Entscheidungen treffen.',
  },
  named: (names) => `Entscheidungen treffen: ${list(names)}.`,
  needs: (count, isIndependent) =>
    isIndependent
      ? plural(count, {
          one: 'Ein Beschluss braucht # unabhängige Zustimmung.',
          other: 'Ein Beschluss braucht # unabhängige Zustimmungen.',
        })
      : plural(count, { one: 'Ein Beschluss braucht # Zustimmung.', other: 'Ein Beschluss braucht # Zustimmungen.' }),
  needsNone: 'Es braucht keine Zustimmung.',
  notProposer: 'Was eine Seite vorschlägt, trifft sie nicht selbst.',
  who: 'Wer trifft Entscheidungen?',
  settlerOptions: {
    anyone: 'Alle, Menschen und Agenten',
    humans: 'Nur Menschen',
    named: 'Nur die hier gewählten Personen und Agenten',
  },
  namedLabel: 'Wer sie treffen kann',
  approvals: 'Zustimmungen, die eine Entscheidung braucht',
  approvalsHint: '0 für keine. Ablehnen braucht nie welche. Zustimmungen auf der Seite des Vorschlags zählen nicht.',
  independent: 'Eine Zustimmung pro Mensch zählen',
  independentHint: 'Ein Mensch und seine Agenten zählen einmal. Die Seite des Vorschlags zählt nie.',
  proposerMaySettle: 'Wer eine Entscheidung vorschlägt, kann sie treffen',
  guardTitle: 'Schleifenschutz',
  guardTotal: 'Nachrichten aller Agenten, bis ein Mensch schreibt',
  guardPerAgent: 'Nachrichten pro Agent bis dahin',
  guardHint: '0 für keine Grenze. 60 und 15 sind gute Werte.',
  guard: {
    both: (total, perAgent) =>
      `Bis ein Mensch schreibt, senden Agenten höchstens ${number(total)} Nachrichten, jeder höchstens ${number(perAgent)}.`,
    total: (total) =>
      plural(total, {
        one: 'Bis ein Mensch schreibt, senden Agenten höchstens # Nachricht.',
        other: 'Bis ein Mensch schreibt, senden Agenten höchstens # Nachrichten.',
      }),
    perAgent: (perAgent) =>
      plural(perAgent, {
        one: 'Bis ein Mensch schreibt, sendet jeder Agent höchstens # Nachricht.',
        other: 'Bis ein Mensch schreibt, sendet jeder Agent höchstens # Nachrichten.',
      }),
  },
  ownedBy: (names) => (names.length === 0 ? 'Kein Besitzer.' : `Gehört ${list(names)}.`),
}
