import type { Texts } from '../translation'

export const pictureTexts: Texts['picture']['pictureTexts'] = {
  label: 'الصورة',
  choose: 'اختيار صورة',
  remove: 'إزالة',
  hint: 'أو أفلتها هنا. يظهر المربع الأوسط منها.',
  unreadable: 'يتعذر على هذا المتصفح قراءة الملف كصورة: اختر PNG أو JPEG أو WebP.',
  ofAgent: (name) => `صورة ${name}`,
}
