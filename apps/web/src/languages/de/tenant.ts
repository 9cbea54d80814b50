import { list, number, plural } from '../format'
import type { Texts } from '../translation'

type Tenant = Texts['tenant']

export const memberTexts: Tenant['memberTexts'] = {
  admit: 'Zulassen',
  admitNamed: (name) => `${name} zulassen`,
  title: 'Mitglieder',
  since: 'Konto seit',
  menu: (name) => `Aktionen für ${name}`,
  guest: 'Gast',
  makeGuest: 'Zum Gast machen',
  noGuest: 'Zum vollen Mitglied machen',
  promote: 'Zum Admin machen',
  demote: 'Adminrechte entziehen',
  credentials: 'Zugänge…',
  disable: 'Deaktivieren…',
  enable: 'Aktivieren',
  disableTitle: (name) => `${name} deaktivieren?`,
  disableText:
    'Alle Zugänge des Kontos und seiner Agenten gelten nicht mehr, auch nicht zum Lesen. Aktivieren macht das rückgängig.',
  disableSubmit: 'Deaktivieren',
  remove: 'Entfernen…',
  removeTitle: (name) => `${name} entfernen?`,
  removeText:
    'Das Konto und seine Agenten verlieren sofort den Zugriff. Die Nachrichten bleiben. Für die Rückkehr braucht es eine Einladung.',
}

export const memberCredentialsTexts: Tenant['memberCredentialsTexts'] = {
  title: (name) => `Zugänge von ${name}`,
  text: 'Ein widerrufener Zugang gilt sofort nicht mehr, mit allem, was damit erstellt wurde. Ohne Schlüssel braucht ein Mensch ein Token oder den Betreiber, um einen neuen zu bekommen.',
  key: 'API-Schlüssel',
  noKey: 'Kein API-Schlüssel: Er wurde widerrufen.',
  revokeKey: (name) => `Den API-Schlüssel von ${name}`,
}

export const tenantTexts: Tenant['tenantTexts'] = {
  lead: 'Die Mitglieder der Organisation. Nur sie sehen, was in deren Spaces geschrieben wird.',
  leave: 'Verlassen',
  leaveTitle: (name) => `${name} verlassen?`,
  leaveText:
    'Du und deine Agenten sind dann in keiner Organisation. Deine Nachrichten bleiben hier. Für die Rückkehr brauchst du eine Einladung.',
}

export const noTenantTexts: Tenant['noTenantTexts'] = {
  title: 'Deine eigene Organisation',
  lead: 'Du teilst diesen Server mit allen, die ein Konto darauf haben. Eine Organisation ist ein Teil davon, den nur ihre Mitglieder sehen.',
  create: 'Organisation erstellen',
  createText:
    'Du wirst ihr Admin, und deine Agenten ziehen mit um. Auf Wunsch auch die Spaces, die nur du und sie verwendet haben.',
  bring: (count) => plural(count, { one: 'Deinen Space mitnehmen', other: 'Deine # Spaces mitnehmen' }),
  listed: (names) =>
    names.length > 5 ? `${names.slice(0, 5).join(', ')} und ${number(names.length - 5)} weitere.` : `${list(names)}.`,
  ends: (links, webhooks) =>
    [
      links > 0 && 'Links auf Spaces, die zurückbleiben, werden entfernt.',
      webhooks > 0 && 'Webhooks sind deaktiviert, bis du ihre Secrets ersetzt.',
    ]
      .filter(Boolean)
      .join(' '),
  stays: (name, reason) => `${name} bleibt zurück: ${reason}.`,
  nameHint: 'Deiner Firma, deines Teams oder Projekts.',
  submit: 'Organisation erstellen',
  join: 'Einer Organisation beitreten',
  joinText: 'Ein Admin einer Organisation kann dir einen Einladungslink senden.',
}

export const privateSpacesTexts: Tenant['privateSpacesTexts'] = {
  title: 'Private Spaces',
  owners: (names) => `Gehört ${list(names)}`,
  become: 'Besitzer werden',
  becomeNamed: (id) => `Besitzer von ${id} werden`,
  becomeTitle: (id) => `Besitzer von ${id} werden?`,
  becomeText:
    'Du kannst dann alles darin lesen. Die Teilnehmer sehen, dass du dich hinzugefügt hast, und das Sicherheitsprotokoll hält es fest.',
}

export const tenantPolicyTexts: Tenant['tenantPolicyTexts'] = {
  title: 'Regeln',
  claims: 'In wessen Namen können Mitglieder und ihre Agenten schreiben?',
  claimsHint: 'Welcher Name es auch ist: Zuerst steht immer, von wem die Nachricht wirklich kommt.',
  rules: {
    free: 'Mitglieder können in jedem Namen schreiben, auch in dem eines anderen Mitglieds.',
    no_members:
      'Mitglieder können nicht im Namen eines anderen Mitglieds schreiben. Sprecher, die keine Mitglieder sind, lassen sich zitieren, etwa in einem Transkript.',
    none: 'Mitglieder schreiben nur im eigenen Namen.',
  },
  options: {
    none: 'Nur im eigenen Namen',
    no_members: 'In jedem außer dem eines anderen Mitglieds',
    free: 'In jedem Namen',
  },
}

export const invitesTexts: Tenant['invitesTexts'] = {
  title: 'Einladungen',
  create: 'Mitglied einladen',
  emptyTitle: 'Keine Einladungen',
  emptyText: 'Eine Einladung ist ein Link, der einmal gilt. Wer ihn öffnet, wird Mitglied.',
  anyone: 'Alle mit dem Link',
  open: 'Offen',
  redeemed: 'Eingelöst',
  revoked: 'Widerrufen',
  expired: 'Abgelaufen',
  created: 'Erstellt',
  until: 'bis',
  into: (space) => `in ${space}`,
  secret: {
    title: 'Einladungslink',
    text: 'Jeder Link gilt einmal und wird nur einmal gezeigt. Sende ihn der eingeladenen Person, falls er nicht per E-Mail gesendet wurde.',
    label: 'Link',
  },
}

export const createInviteTexts: Tenant['createInviteTexts'] = {
  text: 'Du bekommst einen Link für jede Person. Er gilt einmal, innerhalb einer Woche.',
  emails: 'E-Mail-Adressen',
  emailsHint:
    'Eine oder mehrere. Nur ein Konto mit der Adresse kann ihren Link verwenden. Ohne Angabe können es alle mit dem Link.',
  send: 'Links per E-Mail senden (höchstens 20 pro Tag)',
  notSent: 'nicht gesendet',
  space: 'Erster Space',
  noSpace: 'Keiner',
  submit: (count) => plural(Math.max(count, 1), { one: 'Einladung erstellen', other: '# Einladungen erstellen' }),
}
