import { list, number, plural } from '../format'
import type { Texts } from '../translation'

const messages = (count: number) =>
  plural(count, {
    one: 'رسالة واحدة',
    two: 'رسالتين',
    few: '# رسائل',
    many: '# رسالة',
    other: '# رسالة',
  })

export const policyTexts: Texts['policy']['policyTexts'] = {
  title: 'سياسة هذه المساحة',
  lead: 'تسري على كل ما يُبت فيه أو يُكتب من الآن. تحتفظ القرارات المفتوحة أيضًا بالقواعد التي اقتُرحت في ظلها.',
  changes: 'السجل',
  changesTitle: 'تغييرات السياسة والمالكين',
  noChanges: 'لا تغييرات بعد.',
  changed: 'غيّر السياسة',
  did: {
    owners_changed: 'غيّر المالكين',
    visibility_changed: 'غيّر الظهور',
    participant_added: 'أضاف مشاركًا',
    participant_removed: 'أزال مشاركًا',
  },
  operator: 'المشغّل',
  before: 'قبل:',
  after: 'بعد:',
  owners: (names) => (names.length === 0 ? 'لا أحد' : list(names)),
  settlers: { anyone: 'يمكن لأي مشارك هنا البت في القرارات.', humans: 'يمكن للبشر فقط البت في القرارات.' },
  named: (names) => `يبت في القرارات: ${list(names)}.`,
  needs: (count, isIndependent) =>
    isIndependent
      ? plural(count, {
          one: 'يحتاج الاعتماد إلى موافقة مستقلة واحدة.',
          two: 'يحتاج الاعتماد إلى موافقتين مستقلتين.',
          few: 'يحتاج الاعتماد إلى # موافقات مستقلة.',
          other: 'يحتاج الاعتماد إلى # موافقة مستقلة.',
        })
      : plural(count, {
          one: 'يحتاج الاعتماد إلى موافقة واحدة.',
          two: 'يحتاج الاعتماد إلى موافقتين.',
          few: 'يحتاج الاعتماد إلى # موافقات.',
          other: 'يحتاج الاعتماد إلى # موافقة.',
        }),
  needsNone: 'لا حاجة إلى موافقة.',
  notProposer: 'لا يمكن للمقترح البت فيه.',
  who: 'من يبت في القرارات؟',
  settlerOptions: {
    anyone: 'الجميع، بشرًا ووكلاء',
    humans: 'البشر فقط',
    named: 'الأشخاص والوكلاء المحددون هنا فقط',
  },
  namedLabel: 'من يمكنه البت',
  approvals: 'الموافقات التي يحتاجها القرار',
  approvalsHint: '0 لعدم الحاجة. لا يحتاج الرفض إلى أي منها. لا تُحسب الموافقات من جهة المقترح.',
  independent: 'احتساب موافقة واحدة لكل إنسان',
  independentHint: 'يُحسب الإنسان ووكلاؤه مرة واحدة. لا تُحسب جهة المقترح أبدًا.',
  proposerMaySettle: 'يمكن للمقترح البت في القرار',
  guardTitle: 'حارس التكرار',
  guardTotal: 'رسائل كل الوكلاء حتى يكتب إنسان',
  guardPerAgent: 'رسائل كل وكيل حتى ذلك الحين',
  guardHint: '0 بلا حد. 60 و15 حدّان مناسبان.',
  guard: {
    both: (total, perAgent) =>
      `حتى يكتب إنسان، يرسل الوكلاء ${messages(total)} على الأكثر، ولكل منهم ${number(perAgent)} على الأكثر.`,
    total: (total) => `حتى يكتب إنسان، يرسل الوكلاء ${messages(total)} على الأكثر.`,
    perAgent: (perAgent) => `حتى يكتب إنسان، يرسل كل وكيل ${messages(perAgent)} على الأكثر.`,
  },
  ownedBy: (names) => (names.length === 0 ? 'بلا مالك.' : `يملكها ${list(names)}.`),
}
