import { number, plural } from '../format'
import type { Texts } from '../translation'
import { messages } from './nouns'

type Webhook = Texts['webhook']

export const webhooksTexts: Webhook['webhooksTexts'] = {
  titles: { own: 'Webhooks الخاصة بك', tenant: 'Webhooks' },
  create: 'Webhook جديد',
  emptyTitle: 'أبلغ خدمة أخرى',
  emptyText:
    'يرسل Webhook طلبات موقعة إلى عنوانك بما يحدث في مساحة أو يصل إلى الوارد: بالترتيب، مع الإعادة بعد الفشل، بلا ثغرات.',
  states: {
    upToDate: 'محدَّث',
    behind: 'متأخر',
    failing: 'يفشل',
    lastFailed: 'فشلت آخر محاولة',
    unverified: 'غير مؤكد',
    paused: 'متوقف مؤقتًا',
    ended: 'معطل',
  },
  unverified: 'لا يُرسل شيء حتى يعيد المستقبِل رسالة التحقق. اضبطه بالسر، ثم أرسل رسالة التحقق مجددًا.',
  ends: {
    disabled: 'لا يُرسل شيء. عند تفعيله يتابع من حيث توقف.',
    gone: 'أجاب المستقبِل بـ 410 Gone. فعّل Webhook ليتابع من حيث توقف.',
    failing: 'فشل كل طلب ثلاثة أيام. أصلح المستقبِل، ثم فعّل Webhook ليتابع من حيث توقف.',
    owner_left: 'غادر مالكه المؤسسة.',
    credential_revoked: 'أُبطلت بيانات الدخول التي أنشأته.',
  },
  target: {
    space: (name) => `المساحة ${name}`,
    ownInbox: 'الوارد لديك',
    inbox: (name) => `الوارد لدى ${name}`,
  },
  of: (name) => `لـ ${name}`,
  lag: (count) => (count === 0 ? 'لا شيء معلق' : `${number(count)} معلقة`),
  nothingSent: 'لم يُرسل شيء بعد',
  lastOk: 'آخر تسليم',
  lastFailed: (why) => `فشلت آخر محاولة (${why})`,
  secret: {
    title: 'سر Webhook',
    text: 'يتحقق به المستقبِل من الطلبات كما تفعل مكتبات Standard Webhooks. يُعرض مرة واحدة فقط، وبعدها يمكنك استبداله فحسب.',
    label: 'السر',
  },
}

export const createWebhookTexts: Webhook['createWebhookTexts'] = {
  text: 'الطلبات موقعة كما في Standard Webhooks. على المستقبِل أولًا أن يعيد رسالة تحقق. بعدها تُعد استجابة 2xx تسليمًا؛ وبعد أي شيء آخر يُعاد الطلب نفسه.',
  url: 'العنوان (URL)',
  urlHint: 'حيث تُرسل الطلبات. يبدأ بـ https://.',
  about: 'عن',
  abouts: { space: 'مساحة', inbox: 'وارد' },
  aboutHints: {
    space: 'لخدمة تتابع مساحة.',
    inbox: 'لإيقاظ وكيل حين يُحتاج إليه: إشارات وردود ومحادثات وقرارات تنتظر البت.',
  },
  space: 'المساحة',
  inbox: 'الوارد لدى',
  types: 'ما يُرسل',
  typeNames: {
    'events.appended': 'الرسائل',
    'decision.changed': 'القرارات',
    'attention.raised': 'عناصر الوارد',
  },
  payload: 'المحتوى',
  payloads: { thin: 'المعرّفات فقط', full: 'المحتوى كاملًا' },
  payloadHints: {
    thin: 'يقرأ المستقبِل الباقي ببيانات دخوله.',
    full: 'يحصل المستقبِل على كل شيء.',
  },
  from: 'البدء بـ',
  starts: { now: 'الرسائل الجديدة فقط', beginning: 'كل الرسائل السابقة' },
  submit: 'إنشاء Webhook',
}

export const webhookTexts: Webhook['webhookTexts'] = {
  title: 'Webhook',
  unknownTitle: 'Webhook غير موجود',
  unknownText: 'ربما حُذف، أو ليس لديك حق الوصول.',
  state: 'الحالة',
  lag: 'المعلق',
  target: 'عن',
  sends: 'يرسل',
  owner: 'أنشأه',
  rotated: 'استُبدل السر',
  failingSince: 'يفشل منذ',
  nextAttempt: '، المحاولة التالية في',
  retryNow: 'إعادة المحاولة الآن',
  test: 'إرسال اختبار',
  askAgain: 'إعادة إرسال رسالة التحقق',
  tested: (status, ms) => `سُلّم: الاستجابة ${status} خلال ${number(ms)} مللي ثانية.`,
  testFailed: (why) => `لم يُسلّم: ${why}.`,
  edit: 'تعديل…',
  pause: 'إيقاف مؤقت',
  enable: 'تفعيل',
  replay: 'إعادة الإرسال…',
  rotate: 'استبدال السر…',
  rotateTitle: 'استبدال السر؟',
  rotateText: 'لمدة 24 ساعة تُوقع الطلبات بالسرّين، ليتسع وقت المستقبِل للتبديل.',
  rotateSubmit: 'استبدال السر',
  menu: 'إجراءات Webhook',
  delete: 'حذف…',
  deleteTitle: 'حذف هذا الـ Webhook؟',
  deleteText: 'يتوقف الإرسال، وتُهمل الرسائل المعلقة. لا يمكن التراجع عن ذلك.',
  deleteSubmit: 'حذف',
  attempts: 'المحاولات الأخيرة',
  noAttempts: 'لم يُرسل شيء بعد. أرسل اختبارًا للتحقق من إمكان الوصول إلى العنوان.',
  delivered: 'سُلّم',
  failed: 'فشل',
  typeOf: {
    'events.appended': messages,
    'decision.changed': (count) =>
      plural(count, {
        one: 'إجراء واحد على القرارات',
        two: 'إجراءان على القرارات',
        few: '# إجراءات على القرارات',
        many: '# إجراءً على القرارات',
        other: '# إجراء على القرارات',
      }),
    'attention.raised': () => 'عنصر وارد',
    'webhook.challenge': () => 'رسالة تحقق',
    'webhook.test': () => 'اختبار',
  },
  answered: (status) => `الاستجابة ${status}`,
  took: (ms) => (ms < 1_000 ? `بعد ${number(ms)} مللي ثانية` : `بعد ${number(Math.round(ms / 100) / 10)} ثانية`),
}

export const editWebhookTexts: Webhook['editWebhookTexts'] = {
  title: 'تعديل Webhook',
  text: 'تذهب الرسائل المعلقة أيضًا إلى العنوان الجديد. ما تضيفه يبدأ من الآن.',
}

export const replayWebhookTexts: Webhook['replayWebhookTexts'] = {
  title: 'إعادة الإرسال',
  text: 'يتابع Webhook من نقطة أخرى. يتعرف المستقبِل على المكرر بمعرّف الحدث.',
  since: 'المتابعة من',
  places: {
    beginning: 'البداية',
    event: 'رسالة محددة',
    now: 'الآن',
  },
  hints: {
    beginning: 'تُرسل كل الرسائل السابقة مجددًا بالترتيب.',
    event: 'تُرسل الرسائل التي بعدها مجددًا بالترتيب.',
    now: 'تُتجاوز الرسائل المعلقة ولا تُرسل أبدًا.',
  },
  event: 'معرّف الرسالة',
  eventHint: 'انظر تفاصيل الرسالة.',
  submit: 'إعادة الإرسال',
}
