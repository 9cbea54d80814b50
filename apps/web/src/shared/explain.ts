import { SpacesError } from '@collab-spaces/client'
import { texts } from './texts'

/** Returns an error message and advice. A refusal without a translation has the server's own message. */
export function explain(error: unknown) {
  const errors = texts.errors
  if (!(error instanceof SpacesError)) return { title: errors.page, advice: errors.pageAdvice }
  const { status, detail, fields, requestId, retryAfterMs } = error
  if (status === null) return { title: errors.unreachable, advice: errors.unreachableAdvice }
  if (status === 401) return { title: errors.unauthorized, advice: errors.unauthorizedAdvice }
  if (status === 421 && fields.error === 'moved')
    return { title: errors.moved(String(fields.location)), advice: errors.movedAdvice }
  // Readers do not know the name of the parameter of a search.
  const title = errors.refused(detail.replace(/^q: /, ''), String(fields.error ?? status))
  // The one refusal of all codes, so that guessing reveals nothing.
  if (status === 404 && detail === 'Invite not found') return { title, advice: errors.inviteAdvice }
  if (status === 404) return { title, advice: errors.notFoundAdvice }
  if (status === 429) {
    return { title, advice: errors.tooManyAdvice(Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1_000))) }
  }
  if (status >= 500) return { title: errors.server, advice: requestId && errors.serverAdvice(requestId) }
  return { title, advice: null }
}

/** Returns whether an error is a response with the status. */
export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof SpacesError && error.status === status

/** Returns the error message without advice. */
export const explainShort = (error: unknown): string => explain(error).title
