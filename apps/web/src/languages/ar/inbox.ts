import { number, plural } from '../format'
import type { Texts } from '../translation'
import { andMore } from './nouns'

export const waitingTexts: Texts['inbox']['waitingTexts'] = {
  nothing: 'لا شيء ينتظرك. تظهر هنا الإشارات والردود والمحادثات والقرارات التي تنتظر البت.',
  allDone: 'تعليم الكل كمنجز',
  all: 'فتح الوارد',
  andMore,
  done: (before) => (before === 0 ? 'تعليم كمنجز' : `تعليم كمنجز، مع ${number(before)} سابقة في هذه المساحة`),
  kinds: {
    mention: 'أشار إليك',
    reply: 'رد عليك',
    thread: 'كتب في سلسلتك',
    direct: 'كتب إليك',
  },
  toSettle: 'قرار ينتظر البت',
  notice: 'تنبيه',
  more: (count) => `الأولى من ${count === 1_000 ? `أكثر من ${number(count)}` : number(count)}.`,
  notices: {
    loop_guard: 'أوقف حارس التكرار الوكلاء. اكتب رسالة ليتابعوا.',
    decision_assigned: 'أُسند إليك قرار.',
    decision_proposed: 'اقتُرح قرار. بتّ فيه، أو قل رأيك.',
    space_added: 'أُضفت إلى هذه المساحة.',
    decision_expired: 'انتهت مدة قرار.',
    review_due: 'حان موعد مراجعة قرار.',
    webhook_disabled: 'عُطّل Webhook: فشل ثلاثة أيام، أو لم يعد مستقبِله موجودًا.',
    agent_webhook: 'يرسل أحد وكلائك الوارد لديه إلى Webhook. انظر إلى أين.',
    agents_waiting: 'ينتظر وكلاء عضو جديد القبول: اقبلهم في صفحة المؤسسة.',
    credential_revoked: 'أُبطلت إحدى بيانات دخولك، وانتهى كل ما أُنشئ بها.',
    agent_stopped: 'أوقف مشرف أحد وكلائك.',
    claim_handed_over: 'سُلّمت إليك مهمة. اكتب بها أو جدّدها لقبولها.',
  },
  earlier: (count) =>
    plural(count, {
      one: '(تنبيه سابق من هذا النوع)',
      two: '(تنبيهان سابقان من هذا النوع)',
      few: '(# تنبيهات سابقة من هذا النوع)',
      many: '(# تنبيهًا سابقًا من هذا النوع)',
      other: '(# تنبيه سابق من هذا النوع)',
    }),
}

export const inboxTexts: Texts['inbox']['inboxTexts'] = {
  title: 'الوارد',
  lead: 'مجمّع بحسب المساحة، الأقدم أولًا. يشمل «تم» كل ما سبق في المساحة؛ ويختفي ما تجيب عنه.',
  list: 'عناصر الوارد',
  preview: 'معاينة العنصر المحدد',
  tabs: {
    all: 'الكل',
    mention: 'الإشارات',
    reply: 'الردود',
    thread: 'السلاسل',
    direct: 'المحادثات',
    decision: 'القرارات',
    notice: 'التنبيهات',
    snoozed: 'المؤجلة',
  },
  tabsLabel: 'الأنواع',
  nothing: 'لا شيء ينتظرك',
  nothingText: 'تظهر هنا الإشارات والردود والمحادثات والسلاسل والقرارات التي تنتظر البت والتنبيهات.',
  nothingOfKind: 'لا شيء في هذا التبويب',
  nothingOfKindText: 'قد توجد عناصر في تبويبات أخرى.',
  noHumanTitle: 'يقرأ الوكلاء الوارد في مكان آخر',
  noHumanText: 'يعالج البرنامج الذي يشغّل الوكيل الوارد لديه. سجّل الدخول كإنسان لترى الوارد لديك.',
  noSpace: 'حسابك',
  done: (before) => (before === 0 ? 'تم' : `تم حتى هنا (${number(before + 1)})`),
  marked: (count) =>
    plural(count, {
      one: 'عُلّم كمنجز.',
      two: 'عُلّم عنصران كمنجزين.',
      few: 'عُلّمت # عناصر كمنجزة.',
      many: 'عُلّم # عنصرًا كمنجز.',
      other: 'عُلّم # عنصر كمنجز.',
    }),
  snooze: {
    open: 'تأجيل',
    choices: { hour: 'لساعة', tomorrow: 'حتى الغد', week: 'حتى الأسبوع القادم' },
    toAnswer: 'حتى يأتي رد',
    choose: 'اختيار وقت…',
    time: 'حتى',
    until: (time) => `أُجّل حتى ${time} أو حتى يأتي رد.`,
    untilAnswer: 'أُجّل حتى يأتي رد.',
    untilTime: (time) => `أُجّل حتى ${time}.`,
    untilReturned: 'أُجّل حتى تعيده.',
    nothing: 'لا شيء مؤجل',
    bringBack: 'إعادة',
  },
  undo: 'تراجع',
  openItem: 'فتح في المساحة',
  openPlace: 'عرض',
  more: 'هناك المزيد بعد هذه.',
  replyTo: (name) => `رد على ${name}`,
  replyIn: (name, space) => `رد على ${name} في ${space}`,
  sent: (name, earlier) => {
    const sent = `أُرسل الرد على ${name}.`
    if (earlier === 0) return sent
    const left = plural(earlier, {
      one: 'بقي عنصر سابق في هذه المساحة.',
      two: 'بقي عنصران سابقان في هذه المساحة.',
      few: 'بقيت # عناصر سابقة في هذه المساحة.',
      many: 'بقي # عنصرًا سابقًا في هذه المساحة.',
      other: 'بقي # عنصر سابق في هذه المساحة.',
    })
    return `${sent} ${left}`
  },
  proposer: 'اقترحه',
}
