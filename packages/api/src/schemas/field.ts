import {
  checkJson,
  codePoints,
  DomainError,
  isEmailAddress,
  isExternalLink,
  isIdempotencyKey,
  isJsonObject,
  isOneLine,
  isTimeZone,
  isVisible,
  type JsonObject,
  LIMITS,
  PAGES,
  parseTimestamp,
  textProblem,
  WAIT,
} from '@collab-spaces/domain'
import { z } from 'zod'

/** The kinds of input fields, each with its own error messages. */

/** The error of a required field that is missing, or of another kind than it must be. */
export const orRequired =
  (problem: string): z.core.$ZodErrorMap =>
  ({ input }) =>
    input === undefined || input === null ? 'is required' : problem

export const stringError = orRequired('must be a string')

/** The error of a field that is judged once it is right so far. */
export const unlessWrong = (error: string) => ({
  error,
  when: ({ issues }: z.core.ParsePayload) => issues.length === 0,
})

const lengthProblem = (text: string, min: number, max: number) => {
  const length = codePoints(text)
  if (length < min) return 'must not be empty'
  if (length > max) return `must be at most ${max.toLocaleString('en')} characters, not ${length.toLocaleString('en')}`
  return null
}

/** Text of 1 to `max` code points. */
export const text = (max: number, min: 0 | 1 = 1) =>
  z
    .string({ error: stringError })
    .superRefine((value, context) => {
      const problem = textProblem(value) ?? lengthProblem(value, min, max)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })
    .meta({ minLength: min, maxLength: max })

const ONE_LINE = unlessWrong('must be one line, without control characters')
const VISIBLE = unlessWrong('must have a visible character')

/** Text that readers see something of. */
export const visibleText = (max: number) => text(max).refine(isVisible, VISIBLE).meta({ minLength: 1, maxLength: max })

/** The name of something, as people see it: one line. */
export const name = (max: number) =>
  text(max).refine(isOneLine, ONE_LINE).refine(isVisible, VISIBLE).meta({ minLength: 1, maxLength: max })

/** A name that is trimmed first. */
export const trimmedName = (max: number) =>
  z
    .string({ error: stringError })
    .meta({ minLength: 1, maxLength: max })
    .transform((value) => value.trim())
    .pipe(name(max))

/** A name that is trimmed first, and may be empty. */
export const optionalName = (max: number) =>
  z
    .string({ error: stringError })
    .meta({ minLength: 0, maxLength: max })
    .transform((value) => value.trim())
    .pipe(
      text(max, 0)
        .refine(isOneLine, ONE_LINE)
        .refine((value) => value === '' || isVisible(value), VISIBLE),
    )

/** `null` for an optional field means that it is absent. */
export const optional = <T extends z.ZodType>(field: T) => field.nullish().transform((value) => value ?? undefined)

/** The part of a list that is whole by default. */
export const partOfList = (noun: string) => ({
  cursor: optional(z.string({ error: 'must be a string' })).meta({
    description: `The id of the last ${noun} of the page before. Extension`,
  }),
  limit: optionalInteger(PAGES.list).meta({ description: 'At most so many; without it, all. Extension' }),
})

/** An id in a path: a malformed one is unknown (404), not invalid (400). */
export const id = (description: string) => z.string({ error: stringError }).meta({ description })

interface Range {
  readonly min: number
  readonly max: number
}

/** A whole number in a range. Queries send digits, typed clients a number. */
export const integer = ({ default: fallback, ...range }: Range & { readonly default: number }) =>
  integerOr(range, fallback, { default: fallback })

/** A whole number in a range, where an absent one means something else than any number. */
export const optionalInteger = (range: Range) => integerOr(range, undefined, {})

const integerOr = <Fallback>({ min, max }: Range, fallback: Fallback, shown: object) =>
  z
    .custom<number>()
    .meta({ override: { type: 'integer', minimum: min, maximum: max, ...shown } })
    .nullish()
    .transform((value, context) =>
      value === undefined || value === null ? fallback : wholeNumber(value, min, max, context),
    )

function wholeNumber(value: unknown, min: number, max: number, context: z.RefinementCtx): number {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number
  context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}` })
  return z.NEVER
}

/** How long a request waits while there is nothing to answer. */
export const wait = () =>
  integer(WAIT).meta({ description: 'How many seconds to wait while there is nothing to answer. Extension' })

/** A boolean. Queries and headers send `true`, `false`, `1` or `0` in any case, typed clients a boolean. */
export const flag = () => booleanOr<boolean>(false, { default: false })

/** A boolean, where an absent one means something else than either. */
export const optionalFlag = () => booleanOr(undefined, {})

const booleanOr = <Fallback>(fallback: Fallback, shown: object) =>
  z
    .custom<boolean>()
    .meta({ override: { type: 'boolean', ...shown } })
    .nullish()
    .transform((value, context) => (value === undefined || value === null ? fallback : booleanOf(value, context)))

/** A boolean that has no default. */
export const requiredFlag = () =>
  z
    .custom<boolean | string>((value) => value !== undefined && value !== null, { error: 'is required' })
    .meta({ override: { type: 'boolean' } })
    .transform(booleanOf)

/** A boolean of a request that is compared with an earlier one: without it, the request is as it was before. */
export const addedFlag = () => flag().transform((value): true | undefined => value || undefined)

function booleanOf(value: unknown, context: z.RefinementCtx): boolean {
  // An object says itself how it becomes text, and may say nonsense.
  switch (typeof value === 'object' ? '' : String(value).toLowerCase()) {
    case 'true':
    case '1':
      return true
    case 'false':
    case '0':
      return false
  }
  context.addIssue({ code: 'custom', message: 'must be true or false' })
  return z.NEVER
}

/** A time in ISO 8601 with any offset; without a zone it is UTC. */
export const timestamp = () =>
  z
    .string({ error: stringError })
    .meta({ format: 'date-time' })
    .transform((value, context): Date => {
      const moment = parseTimestamp(value)
      if (moment) return moment
      context.addIssue({ code: 'custom', message: 'must be an ISO 8601 timestamp between 1970 and 2100' })
      return z.NEVER
    })

/** Refuses a time window that runs backwards. */
export const requireForwards =
  <Start extends string, End extends string>(start: Start, end: End) =>
  (window: { readonly [field in Start | End]?: Date | undefined }, context: z.RefinementCtx): void => {
    const [from, to] = [window[start], window[end]]
    if (from && to && from > to) {
      context.addIssue({ code: 'custom', path: [start], message: `must not be after ${end}` })
    }
  }

/** Refuses more than one of some fields that exclude each other. */
export function requireAtMostOne(fields: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  const names = Object.keys(fields)
  if (names.filter((name) => fields[name] !== undefined && fields[name] !== false).length <= 1) return
  const message = `cannot be combined: give one of ${names.join(', ')}`
  context.addIssue({ code: 'custom', path: names.slice(0, 1), message })
}

/** One of a few words. */
export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, { error: orRequired(`must be one of ${words.join(', ')}`) })

/** A free-form JSON object. zod would drop a `__proto__` key, so it is checked as a whole and kept as sent. */
export const freeObject = () =>
  z
    .custom<JsonObject>()
    .meta({ override: { type: 'object', additionalProperties: true } })
    .superRefine((value, context) => {
      const problem = freeObjectProblem(value)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })

function freeObjectProblem(value: unknown): string | null {
  if (value === undefined || value === null) return 'is required'
  if (!isJsonObject(value)) return 'must be a JSON object'
  try {
    // This comes before serialization, which recurses as deep as the value nests.
    checkJson(value, 'value')
  } catch (error) {
    if (error instanceof DomainError) return error.detail.replace(/^\w+: /, '')
    throw error
  }
  const size = Buffer.byteLength(JSON.stringify(value))
  return size > LIMITS.freeJsonBytes ? `must be at most ${LIMITS.freeJsonBytes} bytes of JSON, not ${size}` : null
}

/** At most `max` entries; `what` names them in error messages. */
export const list = <T extends z.ZodType>(item: T, max: number, what: string) =>
  z
    .array(item, { error: orRequired(`must be an array of ${what}`) })
    .max(max, { error: `must have at most ${max} entries` })

/** Artifact URIs of any scheme. */
export const uris = () => list(text(LIMITS.uri), LIMITS.uris, 'strings')

/** A link for people to follow. */
export const externalLink = () =>
  text(LIMITS.uri)
    .refine(isExternalLink, unlessWrong('must be an absolute URL such as https://example.org/page'))
    .meta({
      minLength: 1,
      maxLength: LIMITS.uri,
      format: 'uri',
    })

export const externalLinks = () => list(externalLink(), LIMITS.uris, 'strings')

/** The id of an installation, which the header `X-Installation-Id` carries unchanged. */
export const installationId = () =>
  text(LIMITS.installationId)
    .refine(
      (value) => /^[!-~]([ -~]*[!-~])?$/.test(value),
      unlessWrong('must be printable ASCII, without a blank at its start or end'),
    )
    .meta({ minLength: 1, maxLength: LIMITS.installationId })

export const email = () => text(LIMITS.email).refine(isEmailAddress, unlessWrong('must be an e-mail address'))

export const idempotencyKey = () =>
  optional(
    z
      .string({ error: stringError })
      .refine(isIdempotencyKey, { error: `must be 1 to ${LIMITS.idempotencyKey} printable ASCII characters` }),
  )

/** A time in a response: UTC, milliseconds, `Z`. */
export const moment = () => z.string().meta({ format: 'date-time' })

/** A name of the IANA database. */
export const timeZone = () => text(64).refine(isTimeZone, unlessWrong('must be a time zone, such as Europe/Berlin'))
