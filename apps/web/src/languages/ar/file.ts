import { number, plural } from '../format'
import { sizeInWords } from '../size'
import type { Texts } from '../translation'

type File = Texts['file']

export const attachTexts: File['attachTexts'] = {
  attach: 'إرفاق ملفات',
  hint: (most, limit) =>
    `حتى ${number(most)} ملفات لكل رسالة${limit === null ? '' : `، كل منها حتى ${sizeInWords(limit)}`}. يمكنك أيضًا لصقها أو إفلاتها.`,
  drop: 'أفلت الملفات لإرفاقها',
  list: 'الملفات المرفقة',
  tooMany: (most) => `للرسالة ${number(most)} ملفات على الأكثر. أرسل البقية مع الرسالة التالية.`,
  needsText: 'اكتب رسالة تُرسل مع الملفات.',
  hasFailed: 'أعد محاولة الملفات التي فشلت أو أزلها.',
  waiting: 'في الانتظار',
  waitsForConnection: 'في انتظار الاتصال',
  progress: (sent, size) => `${sizeInWords(sent)} من ${sizeInWords(size)}`,
  uploading: (name) => `رفع ${name}`,
  uploaded: 'جاهز',
  status: (done, all) => `رُفع ${number(done)} من ${number(all)}`,
  cancel: (name) => `إلغاء ${name}`,
  remove: (name) => `إزالة ${name}`,
  retry: (name) => `إعادة محاولة ${name}`,
  tooLarge: (limit) => `كبير جدًا: حجم الملف ${sizeInWords(limit)} على الأكثر`,
  gone: 'لم يعد الملف في هذا المتصفح: أرفقه مجددًا',
  unreadable: 'لا يمكن قراءته: هل هو مجلد؟',
  notUploaded: (name, reason) => `${name}: ${reason}`,
  pasted: (time) => `لُصق ${time}`,
}

export const fileTexts: File['fileTexts'] = {
  list: 'الملفات',
  open: (name) => `فتح ${name}`,
  download: 'تنزيل',
  downloadNamed: (name) => `تنزيل ${name}`,
  gone: { deleted: 'محذوف', erased: 'ممحو', unavailable: 'لم يعد متاحًا' },
  noImage: 'ليس صورة',
  erasedName: 'ملف ممحو',
  sha256: (name) => `SHA-256 لـ ${name}`,
}

export const viewerTexts: File['viewerTexts'] = {
  previous: 'الملف السابق',
  next: 'الملف التالي',
  at: (at, all) => `${number(at)} من ${number(all)}`,
  noPreview: 'لا معاينة',
  noPreviewText: 'لا تُعرض هنا ملفات من هذا النوع. نزّله لفتحه.',
  deletedTitle: 'حُذف هذا الملف',
  deletedText: 'يبقى اسمه وبصمته في السجل، أما محتواه فقد زال.',
  goneTitle: 'هذا الملف غير متاح',
  goneText: 'أُزيل، أو لم يعد لديك حق الوصول إليه.',
  cut: (size) => `يُعرض أول ${sizeInWords(size)} فقط.`,
  rows: (shown, all) =>
    `${plural(shown, { zero: 'لا يُعرض أي صف', one: 'يُعرض صف واحد', two: 'يُعرض صفان', few: 'تُعرض # صفوف', many: 'يُعرض # صفًا', other: 'يُعرض # صف' })} من ${number(all)}.`,
  content: (name) => `محتوى ${name}`,
  empty: 'الملف فارغ.',
}

export const filesPanelTexts: File['filesPanelTexts'] = {
  title: 'الملفات',
  list: 'ملفات هذه المساحة',
  emptyTitle: 'لا ملفات بعد',
  emptyText: 'أرفق ملفات أو ألصقها أو أفلتها حين تكتب رسالة. يراها كل من هنا.',
  more: 'عرض ملفات أقدم',
  actions: (name) => `إجراءات ${name}`,
  toMessage: 'إلى الرسالة',
  unsent: 'لم يُرسل بعد',
  delete: 'حذف…',
  deleteTitle: (name) => `هل تريد حذف ${name}؟`,
  deleteText: 'يُزال محتواه للجميع ولا يمكن استعادته. تبقى الرسالة واسم الملف في السجل.',
  deleteConfirm: 'حذف',
}
