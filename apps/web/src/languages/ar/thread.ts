import type { Texts } from '../translation'
import { replies } from './nouns'

export const threadPanelTexts: Texts['thread']['threadPanelTexts'] = {
  alsoInSpace: 'إرسال إلى المساحة أيضًا',
  count: (count) => (count === 0 ? 'لا ردود بعد' : replies(count)),
  list: 'السلاسل في هذه المساحة',
  listEmptyTitle: 'لا سلاسل بعد',
  listEmptyText: 'رد على رسالة في سلسلة لتجمع موضوعًا في مكان واحد.',
  more: 'عرض المزيد',
  empty: 'لا ردود بعد.',
  unknownTitle: 'السلسلة غير موجودة',
  threads: 'السلاسل',
}
