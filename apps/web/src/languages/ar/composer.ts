import { list, plural } from '../format'
import type { Texts } from '../translation'

export const composerTexts: Texts['composer']['composerTexts'] = {
  label: (space) => `رسالة إلى ${space}`,
  threadLabel: 'رد في هذه السلسلة',
  placeholder: (space) => `اكتب إلى ${space}`,
  threadPlaceholder: 'رد…',
  send: 'إرسال',
  replyingTo: (name) => `رد على ${name}`,
  cancelReply: 'إلغاء الرد',
  editing: 'تعديل رسالتك',
  cancelEdit: 'إلغاء التعديل',
  sent: 'أُرسلت.',
  undo: 'تراجع',
  undoHint: 'يسحب الرسالة. يبقى نصها في السجل.',
  undoReason: 'أُرسلت بالخطأ',
  tooLong: (over) =>
    plural(over, {
      one: 'حرف واحد زائد',
      two: 'حرفان زائدان',
      few: '# أحرف زائدة',
      many: '# حرفًا زائدًا',
      other: '# حرف زائد',
    }),
  hint: (isEnter) =>
    `${isEnter ? 'Enter للإرسال، وShift+Enter لسطر جديد، وCtrl+Enter للإرسال من كتلة رموز مفتوحة.' : 'Ctrl+Enter للإرسال، وEnter لسطر جديد.'} @ للإشارة. تنسيق Markdown مدعوم.`,
  formatBar: 'التنسيق',
  formats: {
    bold: 'غامق',
    italic: 'مائل',
    strike: 'مشطوب',
    code: 'رموز',
    link: 'رابط',
    list: 'قائمة',
    numbers: 'قائمة مرقمة',
    quote: 'اقتباس',
  },
  preview: 'معاينة',
  emptyPreview: 'لا شيء للمعاينة بعد.',
  mentions: 'أشخاص ووكلاء للإشارة إليهم',
  unclear: (name, fits) =>
    fits === 0
      ? `لا مشارك باسم ${name}: لا يشير @${name} إلى أحد.`
      : plural(fits, {
          two: `مشاركان باسم ${name}: اختر واحدًا من القائمة، وإلا فلن يشير @${name} إلى أحد.`,
          few: `# مشاركين باسم ${name}: اختر واحدًا من القائمة، وإلا فلن يشير @${name} إلى أحد.`,
          many: `# مشاركًا باسم ${name}: اختر واحدًا من القائمة، وإلا فلن يشير @${name} إلى أحد.`,
          other: `# مشارك باسم ${name}: اختر واحدًا من القائمة، وإلا فلن يشير @${name} إلى أحد.`,
        }),
  outside: 'ليس في هذه المساحة',
  outsideText: (name) => `${name} ليس في هذه المساحة: لن يصل إليه @${name}.`,
  addOutsider: (name) => `إضافة ${name}`,
  interrupted: 'أُغلقت الصفحة قبل أن يستجيب الخادم',
}

export const closedTexts: Texts['composer']['closedTexts'] = {
  readOnly: 'بيانات دخولك للقراءة فقط. للكتابة هنا، سجّل الدخول بغيرها.',
  paused: 'هذه المساحة متوقفة مؤقتًا. لا تقبل رسائل حتى تنشط مجددًا.',
  archived: 'هذه المساحة مؤرشفة وللقراءة فقط.',
  ownersReopen: (names) =>
    names.length === 0 ? 'ليس لها مالك يعيد فتحها.' : `يمكن لمالكيها إعادة فتحها: ${list(names)}.`,
  unarchive: 'استعادة',
}
