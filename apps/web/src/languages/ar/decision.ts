import { list, number, plural } from '../format'
import type { Texts } from '../translation'
import { approvals } from './nouns'

type Decision = Texts['decision']

export const allDecisionsTexts: Decision['allDecisionsTexts'] = {
  lead: 'من كل المساحات التي انضممت إليها، الأحدث أولًا.',
  filter: 'عرض',
  filters: { waiting: 'بانتظار أي شخص', waiting_for_me: 'بانتظارك', in_force: 'سارية' },
  space: 'المساحة',
  allSpaces: 'كل مساحاتك',
  more: 'عرض المزيد',
  nothing: {
    waiting: { title: 'لا شيء للبتّ فيه', text: 'تظهر المقترحات هنا حتى يُبتّ فيها أو يحل غيرها محلها أو تنتهي مدتها.' },
    waiting_for_me: { title: 'لا شيء بانتظارك', text: 'تظهر هنا المقترحات التي يُطلب منك البتّ فيها.' },
    in_force: { title: 'لا قرارات معتمدة بعد', text: 'تظهر القرارات المعتمدة هنا حتى يحل غيرها محلها.' },
  },
}

export const decisionsTexts: Decision['decisionsTexts'] = {
  heading: 'القرارات',
  title: (space) => `القرارات في ${space}`,
  back: (space) => `العودة إلى ${space}`,
  open: (count) => (count === 0 ? 'القرارات' : `القرارات، ${number(count)} مفتوحة`),
  emptyTitle: 'لا قرارات بعد',
  emptyText: 'اقترح قرارًا. تأتي الموافقة عليه، ثم يُبتّ فيه مع ذكر السبب، ويُسجَّل من فعل ماذا.',
  nothing: {
    proposed: 'لا قرارات مفتوحة. يمكن للوكلاء أيضًا أن يقترحوا حين يحتاجون إلى إنسان.',
    resolved: 'تبقى القرارات المعتمدة سارية حتى يحل غيرها محلها.',
    rejected: 'تبقى القرارات المرفوضة هنا، مع السبب.',
  },
  more: (count) => `عرض المزيد (${number(count)})`,
}

export const decisionTexts: Decision['decisionTexts'] = {
  title: 'قرار',
  unknownTitle: 'القرار غير موجود',
  unknownText: 'ربما كُتب العنوان خطأً.',
  statuses: { proposed: 'مقترح', resolved: 'معتمد', rejected: 'مرفوض' },
  settledBy: { proposed: 'اقترحه', resolved: 'اعتمده', rejected: 'رفضه' },
  superseded: 'مستبدل',
  supersedesOne: 'يحل محل آخر',
  reviewDue: 'حان موعد المراجعة',
  expired: 'منتهٍ',
  used: 'مستخدم',
  approvals: (given, required) =>
    required === 0
      ? approvals(given)
      : `${number(given)} من ${plural(required, { one: 'موافقة واحدة', two: 'موافقتين', few: '# موافقات', other: '# موافقة' })}`,
  approvalsTitle: 'الموافقات',
  notCounted: 'غير محسوبة:',
  notCountedBecause: {
    proposer: 'من جهة المقترح',
    deleted: 'محذوف',
    departed: 'غادر',
    disabled: 'معطل',
    stopped: 'موقوف',
    same_human: 'تُحسب موافقة أخرى للإنسان نفسه',
  },
  assignees: 'مُسند إلى',
  supersedes: 'يحل محل',
  supersededBy: 'حل محله',
  reason: 'السبب',
  receipt: 'تنزيل الإيصال',
  replace: 'اقتراح بديل',
  acts: 'سجل التدقيق',
  did: {
    proposed: 'اقترحه',
    reviewed: { approve: 'وافق عليه', reject: 'لا يوافق عليه' },
    settled: { resolved: 'اعتمده', rejected: 'رفضه' },
    superseded: 'استبدله',
    used: 'استخدم إجراءه',
  },
  folded: {
    proposed: (name) => `اقترحه ${name}`,
    reviewed: { approve: (name) => `وافق عليه ${name}`, reject: (name) => `لا يوافق عليه ${name}` },
    counted: {
      approve: (count) => approvals(count),
      reject: (count) => `لا يوافق عليه ${number(count)}`,
    },
    settled: { resolved: (name) => `اعتمده ${name}`, rejected: (name) => `رفضه ${name}` },
    superseded: 'حل محله قرار آخر',
    used: (name) => `استخدم إجراءه ${name}`,
  },
  asked: (names) => `طُلب البت فيه من: ${list(names)}`,
  successor: 'القرار الذي حل محله',
  asHuman: 'بصفة إنسان',
  asAgent: (sponsor) => (sponsor === null ? 'بصفة وكيل' : `بصفة وكيل ${sponsor}`),
  withKey: 'بمفتاح API',
  withToken: (id) => `برمز الوصول ${id}`,
  discuss: (count) => (count === 0 ? 'مناقشة' : `مناقشة (${number(count)})`),
  approve: 'موافقة',
  withdraw: 'سحب الموافقة',
  resolve: 'اعتماد',
  reject: 'رفض',
  obstacles: {
    humans: 'البشر وحدهم يبتّون في القرارات هنا.',
    named: 'لا يُسمح لك بالبت في القرارات هنا.',
    proposer: 'في هذه المساحة، لا يبت المقترح في قراره.',
    superseded: 'حل قرار آخر محله.',
    expired: 'انتهت مدته: يمكن رفضه فقط.',
    approvals: (missing) =>
      plural(missing, {
        one: 'يحتاج إلى موافقة أخرى قبل اعتماده.',
        two: 'يحتاج إلى موافقتين أخريين قبل اعتماده.',
        few: 'يحتاج إلى # موافقات أخرى قبل اعتماده.',
        other: 'يحتاج إلى # موافقة أخرى قبل اعتماده.',
      }),
  },
}

export const authorizationTexts: Decision['authorizationTexts'] = {
  label: 'الإجراء',
  arguments: 'المعطيات',
  editedArguments: 'المعطيات بعد التعديل',
  raw: 'بصيغة JSON',
  chosen: 'المختار',
  expires: 'ينتهي',
  expired: 'انتهى',
  usedBy: 'استخدمه',
}

export const proposeTexts: Decision['proposeTexts'] = {
  title: 'اقتراح قرار',
  lead: 'يراه كل من في المساحة. يبقى مفتوحًا حتى يُعتمد أو يُرفض.',
  replaces: 'عند اعتماده يحل محل',
  text: 'ما الذي ينبغي تقريره؟',
  textHint: 'بالصيغة التي يُقرأ بها بعد اعتماده. تنسيق Markdown مدعوم.',
  assignees: 'من ينبغي أن يبت فيه؟',
  assigneesHint: 'يظهر في الوارد لديهم.',
  reviewOn: 'المراجعة في',
  reviewOnHint: 'تظهر عليه علامة الاستحقاق في ذلك اليوم. لا يحدث شيء آخر تلقائيًا.',
  submit: 'اقتراح',
}

export const reviewTexts: Decision['reviewTexts'] = {
  note: 'ملاحظة للمشاركين',
  approve: {
    title: 'الموافقة على هذا القرار؟',
    text: 'يمكنك سحب موافقتك حتى يُبت في القرار.',
    submit: 'موافقة',
  },
  reject: {
    title: 'سحب موافقتك؟',
    text: 'تبقى موافقتك السابقة مسجلة.',
    submit: 'سحب',
  },
}

export const settleTexts: Decision['settleTexts'] = {
  reasonHint: 'ما ينبغي أن يعرفه القارئ بعد سنة.',
  choose: (label) => `${label}؟`,
  denies: 'هذه الإجابة لا تسمح بشيء.',
  permits: 'هذه الإجابة تسمح بالإجراء مرة واحدة.',
  arguments: 'معطيات الإجراء',
  argumentsHint: 'كائن JSON. إن غيّرته، فلا يُسمح إلا بما تكتبه هنا.',
  argumentsProblem: 'هذا ليس كائن JSON، أو فيه عدد يفقد أرقامًا: اكتبه نصًّا.',
  resolved: {
    title: 'اعتماد هذا القرار؟',
    text: 'يسري فورًا. لا يمكن التراجع عن ذلك.',
    submit: 'اعتماد',
  },
  rejected: {
    title: 'رفض هذا القرار؟',
    text: 'يبقى مسجلًا مع السبب. لا يمكن التراجع عن ذلك.',
    submit: 'رفض',
  },
}
