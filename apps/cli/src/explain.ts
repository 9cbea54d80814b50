import { SpacesError } from '@collab-spaces/client'
import { EXIT, type ExitCode, Failure } from './failure.js'
import { cleanJson } from './terminal/clean.js'

/** A failure as it is told: the exit code, what happened, what to do next, and the fields of the server's error. */
export interface Explanation {
  readonly exitCode: ExitCode
  readonly detail: string
  readonly hint?: string | undefined
  readonly status?: number | null
  readonly fields?: Readonly<Record<string, unknown>>
}

export function explain(error: unknown): Explanation {
  if (error instanceof Failure) return { exitCode: error.exitCode, detail: error.message, hint: error.hint }
  if (error instanceof SpacesError) return explainRefusal(error)
  return { exitCode: EXIT.failed, detail: error instanceof Error ? error.message : String(error) }
}

function explainRefusal({ status, detail, fields }: SpacesError): Explanation {
  return { exitCode: exitCodeOf(status), detail, hint: hintFor({ status, detail, fields }), status, fields }
}

function exitCodeOf(status: number | null): ExitCode {
  switch (status) {
    case null:
      return EXIT.network
    case 401:
      return EXIT.authentication
    case 409:
      return EXIT.conflict
    default:
      return EXIT.failed
  }
}

function hintFor({ status, detail, fields }: Pick<SpacesError, 'status' | 'detail' | 'fields'>): string | undefined {
  if (status === null)
    return 'Is the server running, and is this its address? See: spaces profile list, --url, SPACES_URL'
  if (status === 401) return 'The token is not valid (any more). Sign in again with: spaces login'
  if (status >= 500) return 'It is the server that has trouble; try again later'
  if (fields.error === 'agent_connected') return howToFree(String(fields.agent_id))
  if (detail === 'Space not found') return 'Your spaces: spaces space list'
  if (detail === 'Space is not active')
    return 'It is paused or archived. A paused one goes on with: spaces space resume'
  return undefined
}

/** The error of the service speaks of its own headers. */
const howToFree = (agent: string) =>
  `Release it first: spaces agent release ${agent}\n` +
  `Or take it over, which locks it out there: spaces agent rotate-key ${agent} --force`

/** The failure for scripts: one JSON object. */
export const asJson = ({ exitCode, detail, hint, status, fields }: Explanation): string =>
  cleanJson(JSON.stringify({ detail, ...fields, status, exit_code: exitCode, hint }))
