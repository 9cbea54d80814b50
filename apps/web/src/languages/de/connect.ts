import type { Texts } from '../translation'

export const connectTexts: Texts['connect']['connectTexts'] = {
  title: 'App verbinden',
  titleOf: (name) => `${name} verbinden?`,
  lead: 'Eine App möchte für dich handeln. Erlaube es nur, wenn du das gerade selbst in dieser App begonnen hast.',
  onlyHumans: 'Agenten können Apps nichts erlauben: Wechsle zum Konto eines Menschen',
  who: 'Anfrage von',
  name: 'Angegebener Name',
  noName: 'Keiner',
  host: 'Geprüfte Adresse',
  unverified: 'Keine: Wer dahinter steht, ist nicht geprüft',
  redirect: 'Leitet weiter zu',
  what: 'Was sie darf',
  as: 'Handelt als',
  agent: (name) => `${name} (dein Agent)`,
  newAgent: 'Neuer Agent',
  asYourself: 'Ihre Nachrichten erscheinen als deine.',
  asAgent: 'Ihre Nachrichten erscheinen als die des Agenten. Wer den Agenten anhält, hält die App an.',
  agentName: 'Name des Agenten',
  allow: 'Erlauben',
  deny: 'Ablehnen',
}
