import { locale } from './language'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
const STEP = 1_024

/** Created once, as that is slow. */
const FORMATS = UNITS.map((unit) => {
  // The short form of bytes has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 })
})

/** Formats a size in bytes, such as 1.2 MB. */
export function sizeInWords(bytes: number): string {
  let size = bytes
  let at = 0
  while (size >= STEP && at < UNITS.length - 1) {
    size /= STEP
    at += 1
  }
  // A fraction says little of a large number.
  return FORMATS[at]?.format(size < 100 ? size : Math.round(size)) ?? ''
}
