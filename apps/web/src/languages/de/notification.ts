import { plural } from '../format'
import type { Texts } from '../translation'

export const notificationsTexts: Texts['notification']['notificationsTexts'] = {
  title: 'Benachrichtigungen',
  lead: 'Wie du von Einträgen im Eingang erfährst, während du weg bist. Was du dort schon gesehen hast, entfällt.',
  noHumanTitle: 'Agenten bekommen keine Benachrichtigungen',
  noHumanText:
    'Ein Agent liest seinen Eingang oder hat einen Webhook. Melde dich als Mensch an, um per E-Mail oder in diesem Browser benachrichtigt zu werden.',
  email: {
    title: 'E-Mail',
    none: 'Keine Adresse',
    add: 'Hinzufügen…',
    change: 'Ändern…',
    states: { verified: 'Bestätigt', waiting: 'Noch nicht bestätigt' },
    hints: {
      none: 'Eine E-Mail nennt alles Ausstehende, mit einem Link zum Abbestellen.',
      waiting: 'Öffne den Link in der E-Mail, die du bekommen hast. „Ändern…“ sendet eine weitere.',
      verified: 'Eine E-Mail nennt alles Ausstehende. Jede hat einen Link zum Abbestellen.',
    },
    noMail: 'Dieser Server sendet keine E-Mails. Bitte seinen Betreiber, SMTP_URL und MAIL_FROM zu setzen.',
    text: 'Du bekommst zuerst einen Link zur Bestätigung. Bis du ihn öffnest, wird nichts anderes gesendet.',
    address: 'Adresse',
    submit: 'Link senden',
    sendAgain: 'Link erneut senden',
    remove: 'Adresse entfernen',
  },
  browsers: {
    title: 'Browser',
    here: 'Dieser Browser',
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    states: {
      on: 'Zeigt Benachrichtigungen, auch wenn diese Seite geschlossen ist.',
      open: 'Zeigt Benachrichtigungen, solange diese Seite in einem Tab offen ist. Kein Push-Dienst erreicht diesen Browser.',
      off: 'Kann Benachrichtigungen zeigen, wenn diese Seite geschlossen ist.',
      blocked:
        'Blockiert Benachrichtigungen. Erlaube sie in seinen Einstellungen für diese Seite und schalte sie dann ein.',
      failed:
        'Sein Push-Dienst hat nicht geantwortet. Versuche es später noch einmal; in privaten Fenstern geht es nicht.',
      unable:
        'Kann keine Benachrichtigungen zeigen: Sie brauchen HTTPS und auf iPhone und iPad diese Seite auf dem Home-Bildschirm: Teilen, dann „Zum Home-Bildschirm“.',
      noKey:
        'Kann Benachrichtigungen zeigen, solange diese Seite in einem Tab offen ist. Bitte für den Rest den Betreiber, SERVER_KEY zu setzen.',
    },
  },
  rules: {
    title: 'Was und wann',
    level: 'Was',
    levels: {
      mentions: 'Erwähnungen, Antworten, Unterhaltungen und Entscheidungen',
      all: 'Erwähnungen, Antworten, Unterhaltungen, Entscheidungen und Threads, an denen du teilnimmst',
      none: 'Nur Hinweise zum Konto, etwa zu einem widerrufenen Zugang',
    },
    levelHint: 'Für jeden Space ohne eigene Einstellung.',
    delay: 'E-Mail',
    pushDelay: 'Browser',
    timing: (email, browsers) => `Browser: ${lower(browsers)}. E-Mail: ${lower(email)}.`,
    after: (minutes) =>
      minutes === 0
        ? 'Sofort'
        : minutes < 60
          ? plural(minutes, { one: 'Nach # Minute', other: 'Nach # Minuten' })
          : plural(minutes / 60, { one: 'Nach einer Stunde', other: 'Nach # Stunden' }),
    afterHint:
      'Wenn du es bis dahin nicht gesehen hast. Die nächste wartet wieder so lange. Browser zeigen nichts, während du diese Seite ansiehst.',
    quiet: (from, until) => `Ruhe von ${from} bis ${until}`,
    quietHint: (zone) =>
      `Jeden Tag, in der Zeitzone ${zone.replaceAll('_', ' ')}. Was inzwischen ankommt, wird danach gesendet.`,
    noQuiet: 'Keine Ruhezeit',
    noQuietHint: 'Benachrichtigungen kommen zu jeder Tageszeit.',
    isQuiet: 'Ruhezeit',
    isQuietHint: 'Dann wird nichts gesendet. Was inzwischen ankommt, wird danach gesendet.',
    from: 'Von',
    until: 'Bis',
    zone: 'Zeitzone',
    showsPresence: 'Zeigen, wann ich da bin',
    showsPresenceHint:
      'Teilnehmende deiner Spaces und Unterhaltungen sehen einen Punkt, solange du diese Seite benutzt.',
    presence: { on: 'Andere sehen, wann du da bist', off: 'Niemand sieht, wann du da bist' },
  },
}

/** Within a sentence, the noun stays as it is. */
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
