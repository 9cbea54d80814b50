import { number } from '../format'
import type { Texts } from '../translation'

export const summaryTexts: Texts['summary']['summaryTexts'] = {
  title: 'الملخص',
  windows: { day: 'آخر 24 ساعة', week: 'آخر 7 أيام', all: 'كل شيء', days: 'فترة مخصصة' },
  first: 'من',
  last: 'إلى',
  submit: 'تلخيص',
  emptyTitle: 'الحق بما فاتك سريعًا',
  emptyText: 'ترتبط كل جملة برسائلها المصدر، لتتحقق منها.',
  by: (model) => `كتبه ${model}`,
  byBuiltIn: 'مستخلص من رسائلها',
  again: 'إعادة الإنشاء',
  citation: (position) => `المصدر ${number(position)}`,
}
