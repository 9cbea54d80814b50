import { number, plural } from '../format'
import type { Texts } from '../translation'

export const searchTexts: Texts['search']['searchTexts'] = {
  title: 'بحث',
  words: 'كلمات',
  hint: '"عبارة كاملة"، -استثناء، or، from:ada، in:space، before:2026-11، after:، has:file، is:decision',
  suggestions: 'طرق لتضييق البحث',
  operators: {
    'from:': 'من شخص أو وكيل',
    'in:': 'في مساحة',
    'before:': 'قبل تاريخ',
    'after:': 'بعد تاريخ',
    'has:file': 'مع ملف',
    'is:thread': 'في سلسلة',
    'is:decision': 'القرارات فقط',
  },
  dates: { today: 'اليوم', yesterday: 'أمس', month: 'هذا الشهر', lastMonth: 'الشهر الماضي', year: 'هذه السنة' },
  where: 'أين',
  places: { here: 'هذه المساحة', linked: 'هذه والمساحات المرتبطة', everywhere: 'كل مساحاتك' },
  sort: 'الترتيب',
  sorts: { newest: 'الأحدث أولًا', relevance: 'الأكثر تطابقًا' },
  emptyTitle: 'ابحث في الرسائل',
  emptyText: 'يتجاهل حالة الأحرف والتشكيل ونهايات الكلمات.',
  nothing: 'لا نتائج. جرّب كلمات أقل، أو كل مساحاتك.',
  found: (count, isFull) =>
    isFull
      ? `أول ${number(count)}`
      : plural(count, {
          zero: 'لا نتائج',
          one: 'نتيجة واحدة',
          two: 'نتيجتان',
          few: '# نتائج',
          many: '# نتيجة',
          other: '# نتيجة',
        }),
}
