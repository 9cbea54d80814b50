import { plural } from '../format'
import type { Texts } from '../translation'

export const threadPanelTexts: Texts['thread']['threadPanelTexts'] = {
  alsoInSpace: 'Auch an den Space senden',
  count: (count) => (count === 0 ? 'Noch keine Antworten' : plural(count, { one: '# Antwort', other: '# Antworten' })),
  list: 'Threads in diesem Space',
  listEmptyTitle: 'Noch keine Threads',
  listEmptyText: 'Antworte auf eine Nachricht in einem Thread, um ein Thema zusammenzuhalten.',
  more: 'Mehr anzeigen',
  empty: 'Noch keine Antworten.',
  unknownTitle: 'Thread nicht gefunden',
  threads: 'Threads',
}
