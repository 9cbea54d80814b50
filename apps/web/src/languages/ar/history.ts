import { list, number, plural } from '../format'
import type { Texts } from '../translation'
import { andMore, replies } from './nouns'

type History = Texts['history']

const lines = (count: number) =>
  plural(count, { one: 'سطر واحد', two: 'سطران', few: '# أسطر', many: '# سطرًا', other: '# سطر' })

export const connectionTexts: History['connectionTexts'] = {
  offline: 'أنت غير متصل. يبقى ما تراه متاحًا.',
  silent: 'الخادم لا يستجيب. تجري إعادة المحاولة…',
  reconnecting: 'تجري إعادة الاتصال…',
}

export const historyTexts: History['historyTexts'] = {
  label: (space) => `سجل ${space}`,
  beginningOf: (space) => `هذه بداية ${space}.`,
  emptyTitle: 'ابدأ المحادثة',
  emptyText: 'يقرأ الأشخاص والوكلاء هنا السجل نفسه. شارك الرابط أو أضف وكيلًا.',
  privateText: 'لا يرى هذه المساحة إلا المشاركون فيها. أضف أشخاصًا أو وكيلًا.',
  addPeople: 'إضافة مشاركين',
  conversationTitle: (name) => `اكتب إلى ${name}`,
  conversationText: 'لا يقرأ هذه المحادثة إلا أعضاؤها. تصل كل رسالة إلى الوارد لدى الآخرين.',
  silentTitle: 'لا رسائل',
  silentText: 'أُوقفت المساحة أو أُرشفت قبل الرسالة الأولى.',
  loadingOlder: 'يجري تحميل رسائل أقدم',
  toNewest: 'إلى الأحدث',
  newBelow: (count) => `${number(count)} جديدة`,
  toUnread: 'إلى أول غير مقروءة',
  inThread: 'في سلسلة',
  imported: 'مستورد',
  replies,
  parentGone: 'رد على رسالة سابقة',
  reply: 'رد',
  openThread: 'فتح السلسلة',
  startThread: 'رد في سلسلة',
  details: 'التفاصيل',
  copyText: 'نسخ النص',
  copyLink: 'نسخ رابط الرسالة',
  actions: 'إجراءات الرسالة',
  by: (name, time) => `${name}، ${time}`,
  references: 'المراجع',
  showMore: 'عرض الكل',
  showLess: 'عرض أقل',
  sending: 'يجري الإرسال…',
  waits: 'في انتظار الاتصال. ستُرسل تلقائيًا.',
  failed: 'لم تُرسل',
  retry: 'إعادة الإرسال',
  discard: 'تجاهل',
}

export const revisionTexts: History['revisionTexts'] = {
  edit: 'تعديل',
  edited: '(معدلة)',
  showHistory: 'عرض النصوص السابقة',
  corrects: 'تصحيح',
  retract: 'سحب',
  retractTitle: 'سحب هذه الرسالة؟',
  retractText: 'يرى الآخرون أنك سحبتها. لا تُمحى: يبقى نصها في السجل، حيث يمكن لأي شخص هنا فتحه.',
  reason: 'سُحبت',
  history: 'النصوص',
}

export const transcriptTexts: History['transcriptTexts'] = {
  row: (poster, count, time) => `${lines(count)} من نص مدوَّن، أرسله ${poster}، ${time}`,
  speakers: (names, more) => (more > 0 ? `${list(names)} ${andMore(more)}` : list(names)),
  toggle: (count, isOpen) => `${isOpen ? 'إخفاء' : 'عرض'} النص المدوَّن (${lines(count)})`,
}

export const actsTexts: History['actsTexts'] = {
  by: (who, did, time) => `${who} ${did}، ${time}`,
  proposed: 'اقترح قرارًا',
  reviewed: { approve: 'وافق على', reject: 'لا يوافق على' },
  tookBack: 'سحب موافقته على',
  settled: { resolved: 'اعتمد', rejected: 'رفض' },
  superseded: 'استبدل',
  used: 'استخدم إجراء',
  participant_added: 'أضاف',
  participant_removed: 'أزال',
  comma: '،',
  more: andMore,
  decision: 'قرار',
  open: 'فتح القرار',
  propose: 'اقتراحها قرارًا',
  source: (name) => `من رسالة كتبها ${name}`,
}

export const detailsTexts: History['detailsTexts'] = {
  title: 'تفاصيل الرسالة',
  id: 'معرّف الرسالة',
  speaker: 'المتحدث (المنسوب إليه)',
  poster: 'أرسلها (موثّق)',
  claimed: 'ليس المرسل',
  kind: 'نوع المتحدث',
  time: 'الوقت',
  imported: 'وقت الاستيراد',
  parent: 'رد على',
  metadata: 'البيانات الوصفية',
  receipts: 'الاستلام',
  receiptStates: {
    waiting: 'لم تُجلب بعد',
    unreachable: 'لا يمكن الوصول إليه',
    seen: 'رآها',
    working: 'يعمل عليها',
    answered: 'أجاب',
    declined: 'اعتذر',
    stopped: 'موقوف',
  },
  lastSeen: (time) => `آخر ظهور ${time}`,
  doneSilently: 'عُلّمت كمنجزة بلا رد',
  moreReceipts: andMore,
}

export const threadTexts: History['threadTexts'] = {
  title: 'سلسلة',
  row: (name, time) => `سلسلة، آخر رد من ${name}، ${time}`,
  open: (count, isWhole) => `فتح السلسلة: ${isWhole ? replies(count) : `${number(count)} ردود أو أكثر`}`,
  continuesLater: (count) => `${replies(count)} في سلسلة تستمر في الأسفل`,
}
