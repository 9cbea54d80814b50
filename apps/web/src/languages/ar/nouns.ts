import { plural } from '../format'

export const messages = (count: number): string =>
  plural(count, {
    zero: 'لا رسائل',
    one: 'رسالة واحدة',
    two: 'رسالتان',
    few: '# رسائل',
    many: '# رسالة',
    other: '# رسالة',
  })

export const replies = (count: number): string =>
  plural(count, { zero: 'لا ردود', one: 'رد واحد', two: 'ردّان', few: '# ردود', many: '# ردًّا', other: '# رد' })

export const approvals = (count: number): string =>
  plural(count, {
    zero: 'لا موافقات',
    one: 'موافقة واحدة',
    two: 'موافقتان',
    few: '# موافقات',
    many: '# موافقة',
    other: '# موافقة',
  })

/** Further items of any kind after a list. */
export const andMore = (count: number): string =>
  plural(count, { one: 'وواحد آخر', two: 'واثنان آخران', few: 'و# أخرى', many: 'و# أخرى', other: 'و# أخرى' })
