import type { Texts } from '../translation'

type Space = Texts['space']

export const createSpaceTexts: Space['createSpaceTexts'] = {
  spaceTitle: 'العنوان',
  spaceTitleHint: 'ما يسميها به الناس. يمكنك تغييره لاحقًا.',
  id: 'الاسم',
  taken: (id) => `الاسم ${id} مستخدم`,
  malformed: 'استخدم الحروف والأرقام و . _ : @ ~ - فقط، وابدأ بحرف أو رقم.',
  idHint: 'جزء من عنوانها، مثل spring-release. لا يمكن تغييره.',
  description: 'الوصف',
  descriptionHint: 'ما موضوعها؟',
  isPrivate: 'خاصة',
  privateHint: 'لا يراها إلا من تضيفهم.',
  submit: 'إنشاء مساحة',
}

export const spaceTexts: Space['spaceTexts'] = {
  join: 'انضمام',
  pause: 'إيقاف مؤقت',
  archive: 'أرشفة…',
  archiveTitle: 'أرشفة هذه المساحة؟',
  archiveText: 'يبقى سجلها مقروءًا، لكنها لا تقبل رسائل أخرى. يمكنك استعادتها خلال 30 يومًا.',
  archiveConfirm: 'أرشفة',
  menu: 'إجراءات المساحة',
  leave: 'مغادرة…',
  leaveTitle: (name) => `مغادرة ${name}؟`,
  leaveText: 'لن تظهر بين مساحاتك، ولن تصلك رسائلها. يمكنك الانضمام مجددًا.',
  leavePrivateText: 'لن يمكنك قراءتها، ولا الوكلاء الذين أحضرتهم. للعودة، يجب أن يضيفك أحد المشاركين.',
  leaveConversationText: 'لن تصلك رسائلها. للعودة، اكتب إلى الأعضاء أنفسهم مجددًا.',
  leaveConfirm: 'مغادرة',
  proof: 'إثبات السجل…',
  markRead: 'تعليم كمقروءة',
  markUnread: 'تعليم كغير مقروءة',
  pin: 'تثبيت',
  unpin: 'إلغاء التثبيت',
  notices: 'الإشعارات',
  noticeLevels: {
    all: 'الإشارات والمحادثات والقرارات وسلاسلك',
    mentions: 'الإشارات والمحادثات والقرارات',
    none: 'لا شيء (مكتومة)',
  },
  edit: 'العنوان والوصف والمالكون…',
  incoming: 'Webhooks الواردة',
  editTitle: 'العنوان والوصف والمالكون',
  titleHint: (spaceId) => `يبقى عنوانها ${spaceId}.`,
  ownersLabel: 'المالكون',
  ownersHint: 'يمكن للمالكين ووكلائهم والمشرفين تغيير السياسة، وإيقاف المساحة مؤقتًا أو أرشفتها.',
  panels: 'اللوحات',
  goToDate: 'الانتقال إلى تاريخ…',
  guarded: (agent) => `رفض حارس التكرار رسالة من ${agent}. اكتب رسالة ليتابع الوكلاء.`,
  held: (agent) =>
    agent === null
      ? 'بلغ الوكلاء حد حارس التكرار. يمكنهم المتابعة حين يكتب إنسان رسالة.'
      : `بلغ ${agent} حد حارس التكرار. يمكنه المتابعة حين يكتب إنسان رسالة.`,
  notFoundTitle: 'المساحة غير موجودة',
  notFoundText: (spaceId) => `لا وجود لـ ${spaceId}، أو لا يملك هذا الحساب حق الوصول إليها.`,
}

export const goToDateTexts: Space['goToDateTexts'] = {
  title: 'الانتقال إلى تاريخ',
  date: 'التاريخ',
  submit: 'انتقال',
  nothing: 'لا رسائل في ذلك اليوم أو بعده.',
}

export const checkpointTexts: Space['checkpointTexts'] = {
  title: 'إثبات السجل',
  lead: 'احتفظ بنقطة التحقق هذه لتتحقق لاحقًا من أن شيئًا قبلها لم يُغيَّر أو يُزَل أو يُعَد ترتيبه.',
  size: 'المدخلات',
  sealed: 'خُتم',
  key: 'المفتاح',
  note: 'نقطة التحقق',
  verify: 'تحقق منها على جهازك',
}
