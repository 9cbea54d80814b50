import { list, number, plural } from '../format'
import type { Texts } from '../translation'

type Decision = Texts['decision']

export const allDecisionsTexts: Decision['allDecisionsTexts'] = {
  lead: 'Aus allen Spaces, denen du beigetreten bist, neueste zuerst.',
  filter: 'Anzeigen',
  filters: { waiting: 'Wartet auf irgendwen', waiting_for_me: 'Wartet auf dich', in_force: 'In Kraft' },
  space: 'Im Space',
  allSpaces: 'Alle deine Spaces',
  more: 'Mehr anzeigen',
  nothing: {
    waiting: {
      title: 'Nichts zu entscheiden',
      text: 'Vorschläge stehen hier, bis sie entschieden, ersetzt oder abgelaufen sind.',
    },
    waiting_for_me: { title: 'Nichts wartet auf dich', text: 'Hier stehen Vorschläge, die du entscheiden sollst.' },
    in_force: {
      title: 'Noch nichts beschlossen',
      text: 'Beschlossenes steht hier, bis es eine andere Entscheidung ersetzt.',
    },
  },
}

export const decisionsTexts: Decision['decisionsTexts'] = {
  heading: 'Entscheidungen',
  title: (space) => `Entscheidungen in ${space}`,
  back: (space) => `Zurück zu ${space}`,
  open: (count) => (count === 0 ? 'Entscheidungen' : `Entscheidungen, ${number(count)} offen`),
  emptyTitle: 'Noch keine Entscheidungen',
  emptyText:
    'Schlage eine vor. Sie bekommt Zustimmung, wird begründet getroffen, und wer was getan hat, bleibt festgehalten.',
  nothing: {
    proposed: 'Keine offenen Entscheidungen. Auch Agenten können vorschlagen, wenn sie einen Menschen brauchen.',
    resolved: 'Beschlossenes gilt, bis es eine andere Entscheidung ersetzt.',
    rejected: 'Abgelehntes bleibt hier, mit der Begründung.',
  },
  more: (count) => `Mehr anzeigen (${number(count)})`,
}

export const decisionTexts: Decision['decisionTexts'] = {
  title: 'Entscheidung',
  unknownTitle: 'Entscheidung nicht gefunden',
  unknownText: 'Vielleicht ist die Adresse falsch.',
  statuses: { proposed: 'Vorgeschlagen', resolved: 'Beschlossen', rejected: 'Abgelehnt' },
  settledBy: { proposed: 'Vorgeschlagen von', resolved: 'Beschlossen von', rejected: 'Abgelehnt von' },
  superseded: 'Ersetzt',
  supersedesOne: 'Ersetzt eine andere',
  reviewDue: 'Überprüfung fällig',
  expired: 'Abgelaufen',
  used: 'Verwendet',
  approvals: (given, required) =>
    required === 0
      ? plural(given, { one: '# Zustimmung', other: '# Zustimmungen' })
      : `${number(given)} von ${plural(required, { one: '# Zustimmung', other: '# Zustimmungen' })}`,
  approvalsTitle: 'Zustimmungen',
  notCounted: 'Nicht gezählt:',
  notCountedBecause: {
    proposer: 'auf der Seite des Vorschlags',
    deleted: 'gelöscht',
    departed: 'nicht mehr hier',
    disabled: 'deaktiviert',
    stopped: 'angehalten',
    same_human: 'eine andere Zustimmung desselben Menschen zählt',
  },
  assignees: 'Zuständig',
  supersedes: 'Ersetzt',
  supersededBy: 'Ersetzt durch',
  reason: 'Begründung',
  receipt: 'Beleg herunterladen',
  replace: 'Ersatz vorschlagen',
  acts: 'Prüfprotokoll',
  did: {
    proposed: 'hat sie vorgeschlagen',
    reviewed: { approve: 'hat ihr zugestimmt', reject: 'stimmt ihr nicht zu' },
    settled: { resolved: 'hat sie beschlossen', rejected: 'hat sie abgelehnt' },
    superseded: 'hat sie ersetzt',
    used: 'hat ihre Aktion verwendet',
  },
  folded: {
    proposed: (name) => `Vorgeschlagen von ${name}`,
    reviewed: { approve: (name) => `Zustimmung von ${name}`, reject: (name) => `keine Zustimmung von ${name}` },
    counted: {
      approve: (count) => `Zustimmung von ${number(count)}`,
      reject: (count) => `keine Zustimmung von ${number(count)}`,
    },
    settled: { resolved: (name) => `beschlossen von ${name}`, rejected: (name) => `abgelehnt von ${name}` },
    superseded: 'durch eine andere ersetzt',
    used: (name) => `verwendet von ${name}`,
  },
  asked: (names) => `${list(names)} gebeten, sie zu treffen`,
  successor: 'Die Entscheidung, die sie ersetzt hat',
  asHuman: 'Als Mensch',
  asAgent: (sponsor) => (sponsor === null ? 'Als Agent' : `Als Agent von ${sponsor}`),
  withKey: 'mit dem API-Schlüssel',
  withToken: (id) => `mit dem Token ${id}`,
  discuss: (count) => (count === 0 ? 'Besprechen' : `Besprechen (${number(count)})`),
  approve: 'Zustimmen',
  withdraw: 'Zustimmung zurückziehen',
  resolve: 'Beschließen',
  reject: 'Ablehnen',
  obstacles: {
    humans: 'Hier treffen nur Menschen Entscheidungen.',
    named: 'Du darfst hier keine Entscheidungen treffen.',
    proposer: 'In diesem Space trifft nicht dieselbe Seite die Entscheidung, die sie vorgeschlagen hat.',
    superseded: 'Eine andere Entscheidung hat sie ersetzt.',
    expired: 'Sie ist abgelaufen und kann nur noch abgelehnt werden.',
    approvals: (missing) =>
      plural(missing, {
        one: 'Sie braucht noch # Zustimmung, bevor sie beschlossen werden kann.',
        other: 'Sie braucht noch # Zustimmungen, bevor sie beschlossen werden kann.',
      }),
  },
}

export const authorizationTexts: Decision['authorizationTexts'] = {
  label: 'Aktion',
  arguments: 'Argumente',
  editedArguments: 'Argumente, wie bearbeitet',
  raw: 'Als JSON',
  chosen: 'Gewählt',
  expires: 'Läuft ab',
  expired: 'Abgelaufen',
  usedBy: 'Verwendet von',
}

export const proposeTexts: Decision['proposeTexts'] = {
  title: 'Entscheidung vorschlagen',
  lead: 'Alle im Space sehen sie. Sie bleibt offen, bis sie beschlossen oder abgelehnt wird.',
  replaces: 'Wird sie beschlossen, ersetzt sie',
  text: 'Was soll entschieden werden?',
  textHint: 'So, wie es danach gelten soll. Markdown wird unterstützt.',
  assignees: 'Wer soll sie treffen?',
  assigneesHint: 'Sie erscheint in deren Eingang.',
  reviewOn: 'Überprüfen am',
  reviewOnHint: 'An diesem Tag wird sie als fällig markiert. Sonst geschieht nichts von selbst.',
  submit: 'Vorschlagen',
}

export const reviewTexts: Decision['reviewTexts'] = {
  note: 'Notiz für die Teilnehmer',
  approve: {
    title: 'Dieser Entscheidung zustimmen?',
    text: 'Du kannst die Zustimmung zurückziehen, bis die Entscheidung getroffen ist.',
    submit: 'Zustimmen',
  },
  reject: {
    title: 'Deine Zustimmung zurückziehen?',
    text: 'Dass du zugestimmt hattest, bleibt festgehalten.',
    submit: 'Zurückziehen',
  },
}

export const settleTexts: Decision['settleTexts'] = {
  reasonHint: 'Was man in einem Jahr noch wissen sollte.',
  choose: (label) => `${label}?`,
  denies: 'Diese Antwort erlaubt nichts.',
  permits: 'Diese Antwort erlaubt die Aktion, einmal.',
  arguments: 'Argumente der Aktion',
  argumentsHint: 'Ein JSON-Objekt. Änderst du es, ist nur erlaubt, was du hier schreibst.',
  argumentsProblem: 'Das ist kein JSON-Objekt, oder eine Zahl darin verliert Stellen: Schreibe sie als Text.',
  resolved: {
    title: 'Diese Entscheidung beschließen?',
    text: 'Sie gilt sofort. Das lässt sich nicht rückgängig machen.',
    submit: 'Beschließen',
  },
  rejected: {
    title: 'Diese Entscheidung ablehnen?',
    text: 'Sie bleibt mit der Begründung erhalten. Das lässt sich nicht rückgängig machen.',
    submit: 'Ablehnen',
  },
}
