import { number, plural } from '../format'
import type { Texts } from '../translation'

type Webhook = Texts['webhook']

export const webhooksTexts: Webhook['webhooksTexts'] = {
  titles: { own: 'Deine Webhooks', tenant: 'Webhooks' },
  create: 'Neuer Webhook',
  emptyTitle: 'Einen anderen Dienst benachrichtigen',
  emptyText:
    'Ein Webhook sendet signierte Anfragen an deine URL, wenn in einem Space etwas geschieht oder in einem Eingang ankommt: in der richtigen Reihenfolge, nach Fehlern wiederholt, lückenlos.',
  states: {
    upToDate: 'Auf dem Stand',
    behind: 'Im Rückstand',
    failing: 'Schlägt fehl',
    lastFailed: 'Letzter Versuch fehlgeschlagen',
    unverified: 'Nicht bestätigt',
    paused: 'Pausiert',
    ended: 'Deaktiviert',
  },
  unverified:
    'Nichts wird gesendet, bis der Empfänger seine Prüfanfrage beantwortet. Richte ihn mit dem Secret ein und sende sie dann noch einmal.',
  ends: {
    disabled: 'Nichts wird gesendet. Nach dem Aktivieren geht es dort weiter, wo er aufgehört hat.',
    gone: 'Der Empfänger hat mit 410 Gone geantwortet. Aktiviere den Webhook, damit es weitergeht, wo er aufgehört hat.',
    failing:
      'Drei Tage lang schlug jede Anfrage fehl. Repariere den Empfänger und aktiviere dann den Webhook, damit es weitergeht, wo er aufgehört hat.',
    owner_left: 'Sein Besitzer hat die Organisation verlassen.',
    credential_revoked: 'Der Zugang, mit dem er erstellt wurde, ist widerrufen.',
  },
  target: {
    space: (name) => `Space ${name}`,
    ownInbox: 'Dein Eingang',
    inbox: (name) => `Eingang von ${name}`,
  },
  of: (name) => `von ${name}`,
  lag: (count) => (count === 0 ? 'Nichts ausstehend' : `${number(count)} ausstehend`),
  nothingSent: 'noch nichts gesendet',
  lastOk: 'zuletzt zugestellt',
  lastFailed: (why) => `letzter Versuch fehlgeschlagen (${why})`,
  secret: {
    title: 'Secret des Webhooks',
    text: 'Der Empfänger prüft damit Anfragen, wie die Bibliotheken von Standard Webhooks. Es wird nur einmal gezeigt; später kannst du es nur ersetzen.',
    label: 'Secret',
  },
}

export const createWebhookTexts: Webhook['createWebhookTexts'] = {
  text: 'Anfragen sind signiert wie in Standard Webhooks. Der Empfänger muss zuerst eine Prüfanfrage beantworten. Danach gilt eine 2xx-Antwort als zugestellt; nach allem anderen wird dieselbe Anfrage wiederholt.',
  url: 'URL',
  urlHint: 'Wohin Anfragen gehen. Beginnt mit https://.',
  about: 'Worüber',
  abouts: { space: 'Ein Space', inbox: 'Ein Eingang' },
  aboutHints: {
    space: 'Für einen Dienst, der einem Space folgt.',
    inbox:
      'Um einen Agenten zu wecken, wenn er gebraucht wird: Erwähnungen, Antworten, Unterhaltungen und zu treffende Entscheidungen.',
  },
  space: 'Space',
  inbox: 'Eingang von',
  types: 'Was gesendet wird',
  typeNames: {
    'events.appended': 'Nachrichten',
    'decision.changed': 'Entscheidungen',
    'attention.raised': 'Einträge im Eingang',
  },
  payload: 'Inhalt',
  payloads: { thin: 'Nur IDs', full: 'Ganzer Inhalt' },
  payloadHints: {
    thin: 'Den Rest liest der Empfänger mit eigenem Zugang.',
    full: 'Der Empfänger bekommt alles.',
  },
  from: 'Beginnen mit',
  starts: { now: 'Nur neuen Nachrichten', beginning: 'Allen bisherigen Nachrichten' },
  submit: 'Webhook erstellen',
}

export const webhookTexts: Webhook['webhookTexts'] = {
  title: 'Webhook',
  unknownTitle: 'Webhook nicht gefunden',
  unknownText: 'Vielleicht wurde er gelöscht, oder du hast keinen Zugriff.',
  state: 'Zustand',
  lag: 'Ausstehend',
  target: 'Worüber',
  sends: 'Sendet',
  owner: 'Erstellt von',
  rotated: 'Secret ersetzt',
  failingSince: 'Schlägt fehl seit',
  nextAttempt: ', nächster Versuch um',
  retryNow: 'Jetzt wiederholen',
  test: 'Test senden',
  askAgain: 'Prüfanfrage erneut senden',
  tested: (status, ms) => `Zugestellt: Antwort ${status} nach ${number(ms)} ms.`,
  testFailed: (why) => `Nicht zugestellt: ${why}.`,
  edit: 'Bearbeiten…',
  pause: 'Pausieren',
  enable: 'Aktivieren',
  replay: 'Erneut abspielen…',
  rotate: 'Secret ersetzen…',
  rotateTitle: 'Das Secret ersetzen?',
  rotateText: '24 Stunden lang sind Anfragen mit beiden Secrets signiert, damit der Empfänger Zeit zum Wechseln hat.',
  rotateSubmit: 'Secret ersetzen',
  menu: 'Aktionen des Webhooks',
  delete: 'Löschen…',
  deleteTitle: 'Diesen Webhook löschen?',
  deleteText:
    'Er sendet nichts mehr, und ausstehende Nachrichten werden verworfen. Das lässt sich nicht rückgängig machen.',
  deleteSubmit: 'Löschen',
  attempts: 'Letzte Versuche',
  noAttempts: 'Noch nichts gesendet. Sende einen Test, um zu prüfen, ob die URL erreichbar ist.',
  delivered: 'Zugestellt',
  failed: 'Fehlgeschlagen',
  typeOf: {
    'events.appended': (count) => plural(count, { one: '# Nachricht', other: '# Nachrichten' }),
    'decision.changed': (count) =>
      plural(count, { one: '# Vorgang bei Entscheidungen', other: '# Vorgänge bei Entscheidungen' }),
    'attention.raised': () => 'Eintrag im Eingang',
    'webhook.challenge': () => 'Prüfanfrage',
    'webhook.test': () => 'Test',
  },
  answered: (status) => `Antwort ${status}`,
  took: (ms) => (ms < 1_000 ? `nach ${number(ms)} ms` : `nach ${number(Math.round(ms / 100) / 10)} s`),
}

export const editWebhookTexts: Webhook['editWebhookTexts'] = {
  title: 'Webhook bearbeiten',
  text: 'Auch ausstehende Nachrichten gehen an die neue URL. Was du hinzufügst, gilt ab jetzt.',
}

export const replayWebhookTexts: Webhook['replayWebhookTexts'] = {
  title: 'Erneut abspielen',
  text: 'Der Webhook macht an einer anderen Stelle weiter. Der Empfänger erkennt Wiederholungen an der ID.',
  since: 'Weiter ab',
  places: {
    beginning: 'dem Anfang',
    event: 'einer bestimmten Nachricht',
    now: 'jetzt',
  },
  hints: {
    beginning: 'Alle bisherigen Nachrichten werden noch einmal gesendet, in der richtigen Reihenfolge.',
    event: 'Nachrichten danach werden noch einmal gesendet, in der richtigen Reihenfolge.',
    now: 'Ausstehende Nachrichten werden übersprungen und nie gesendet.',
  },
  event: 'ID der Nachricht',
  eventHint: 'Siehe die Details einer Nachricht.',
  submit: 'Abspielen',
}
