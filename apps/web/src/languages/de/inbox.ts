import { number, plural } from '../format'
import type { Texts } from '../translation'

export const waitingTexts: Texts['inbox']['waitingTexts'] = {
  nothing: 'Alles erledigt. Erwähnungen, Antworten, Unterhaltungen und zu treffende Entscheidungen erscheinen hier.',
  allDone: 'Alles als erledigt markieren',
  all: 'Eingang öffnen',
  andMore: (count) => `und ${number(count)} weitere`,
  done: (before) =>
    before === 0 ? 'Als erledigt markieren' : `Als erledigt markieren, mit ${number(before)} früheren in diesem Space`,
  kinds: {
    mention: 'hat dich erwähnt',
    reply: 'hat dir geantwortet',
    thread: 'hat in deinem Thread geschrieben',
    direct: 'hat dir geschrieben',
  },
  toSettle: 'Zu entscheiden',
  notice: 'Hinweis',
  more: (count) => `Die ersten von ${count === 1_000 ? `mehr als ${number(count)}` : number(count)}.`,
  notices: {
    loop_guard: 'Der Schleifenschutz hat Agenten angehalten. Schreibe eine Nachricht, damit sie weitermachen.',
    decision_assigned: 'Du bist für eine Entscheidung zuständig.',
    decision_proposed: 'Eine Entscheidung wurde vorgeschlagen. Triff sie, oder sag, was du denkst.',
    space_added: 'Du wurdest zu diesem Space hinzugefügt.',
    decision_expired: 'Eine Entscheidung ist abgelaufen.',
    review_due: 'Eine Entscheidung ist zur Überprüfung fällig.',
    webhook_disabled: 'Ein Webhook wurde deaktiviert: Er schlug drei Tage lang fehl, oder sein Empfänger ist weg.',
    agent_webhook: 'Einer deiner Agenten sendet seinen Eingang an einen Webhook. Sieh nach, wohin.',
    agents_waiting: 'Agenten eines neuen Mitglieds warten auf Zulassung: Lasse sie auf der Seite Organisation zu.',
    credential_revoked: 'Einer deiner Zugänge wurde widerrufen, und alles damit Erstellte ist beendet.',
    agent_stopped: 'Ein Admin hat einen deiner Agenten angehalten.',
    claim_handed_over: 'Eine Aufgabe wurde dir übergeben. Schreibe damit oder verlängere sie, um sie anzunehmen.',
  },
  earlier: (count) =>
    plural(count, { one: '(# früherer Hinweis dieser Art)', other: '(# frühere Hinweise dieser Art)' }),
}

export const inboxTexts: Texts['inbox']['inboxTexts'] = {
  title: 'Eingang',
  lead: 'Nach Spaces gruppiert, Ältestes zuerst. „Erledigt“ gilt auch für alles Frühere im Space; was du beantwortest, verschwindet.',
  list: 'Einträge im Eingang',
  preview: 'Vorschau des gewählten Eintrags',
  tabs: {
    all: 'Alle',
    mention: 'Erwähnungen',
    reply: 'Antworten',
    thread: 'Threads',
    direct: 'Unterhaltungen',
    decision: 'Entscheidungen',
    notice: 'Hinweise',
    snoozed: 'Zurückgestellt',
  },
  tabsLabel: 'Arten',
  nothing: 'Alles erledigt',
  nothingText:
    'Erwähnungen, Antworten, Unterhaltungen, Threads, zu treffende Entscheidungen und Hinweise erscheinen hier.',
  nothingOfKind: 'Nichts in diesem Tab',
  nothingOfKindText: 'Andere Tabs können Einträge haben.',
  noHumanTitle: 'Agenten lesen ihren Eingang anderswo',
  noHumanText: 'Das Programm des Agenten arbeitet seinen Eingang ab. Melde dich als Mensch an, um deinen zu sehen.',
  noSpace: 'Dein Konto',
  done: (before) => (before === 0 ? 'Erledigt' : `Bis hier erledigt (${number(before + 1)})`),
  marked: (count) => plural(count, { one: 'Als erledigt markiert.', other: '# Einträge als erledigt markiert.' }),
  snooze: {
    open: 'Zurückstellen',
    choices: { hour: 'Für eine Stunde', tomorrow: 'Bis morgen', week: 'Bis nächste Woche' },
    toAnswer: 'Bis zu einer Antwort',
    choose: 'Zeitpunkt wählen…',
    time: 'Bis',
    until: (time) => `Zurückgestellt bis ${time} oder zu einer Antwort.`,
    untilAnswer: 'Zurückgestellt bis zu einer Antwort.',
    untilTime: (time) => `Zurückgestellt bis ${time}.`,
    untilReturned: 'Zurückgestellt, bis du es zurückholst.',
    nothing: 'Nichts zurückgestellt',
    bringBack: 'Zurückholen',
  },
  undo: 'Rückgängig',
  openItem: 'Im Space öffnen',
  openPlace: 'Ansehen',
  more: 'Danach kommen noch mehr.',
  replyTo: (name) => `Antwort an ${name}`,
  replyIn: (name, space) => `Antwort an ${name} in ${space}`,
  sent: (name, earlier) => {
    const sent = `Antwort an ${name} gesendet.`
    if (earlier === 0) return sent
    return `${sent} ${plural(earlier, { one: '# früherer Eintrag in diesem Space bleibt.', other: '# frühere Einträge in diesem Space bleiben.' })}`
  },
  proposer: 'Vorgeschlagen von',
}
