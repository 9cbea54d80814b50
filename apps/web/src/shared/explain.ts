import { SpacesError } from '@collab-spaces/client'
import { texts } from './texts'

/** An error in words: what is wrong, and what can be done about it. The server explains its refusals itself. */
export function explain(error: unknown) {
  const errors = texts.errors
  if (!(error instanceof SpacesError)) return { title: errors.page, advice: errors.pageAdvice }
  const { status, detail, fields, requestId, retryAfterMs } = error
  if (status === null) return { title: errors.unreachable, advice: errors.unreachableAdvice }
  if (status === 401) return { title: errors.unauthorized, advice: errors.unauthorizedAdvice }
  if (status === 421 && fields.error === 'moved')
    return { title: errors.moved(String(fields.location)), advice: errors.movedAdvice }
  if (status === 404) return { title: detail, advice: errors.notFoundAdvice }
  if (status === 429) {
    return { title: detail, advice: errors.tooManyAdvice(Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1_000))) }
  }
  if (status >= 500) return { title: errors.server, advice: requestId && errors.serverAdvice(requestId) }
  return { title: detail, advice: null }
}

/** Whether the server has answered with this status. */
export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof SpacesError && error.status === status

/** For places with room for one line. */
export const explainShort = (error: unknown): string => explain(error).title
