import { SpacesError } from '@collab-spaces/client'
import { EXIT, type ExitCode, Failure } from './failure.js'
import { hasForm } from './input/form.js'
import { cleanJson } from './terminal/clean.js'

/** The account of a failure: the exit code, what happened, what to do next, and the fields of the server's error. */
export interface Explanation {
  readonly exitCode: ExitCode
  readonly detail: string
  readonly hint?: string | undefined
  readonly status?: number | null
  readonly fields?: Readonly<Record<string, unknown>>
}

export function explain(error: unknown): Explanation {
  const { detail, hint, ...explanation } = explanationOf(error)
  return { ...explanation, detail: withoutSecrets(detail), hint: hint && withoutSecrets(hint) }
}

/** Errors quote what was typed. A secret among it is masked, as others may read the shell or the log. */
const withoutSecrets = (text: string) => text.replace(/\b(svc_(?:pat_)?|inv_code_|agt_code_)[0-9a-f]+/gi, '$1…')

function explanationOf(error: unknown): Explanation {
  if (error instanceof Failure) return { exitCode: error.exitCode, detail: error.message, hint: error.hint }
  if (error instanceof SpacesError) return explainRefusal(error)
  return { exitCode: EXIT.failed, detail: error instanceof Error ? error.message : String(error) }
}

function explainRefusal({ status, detail, fields }: SpacesError): Explanation {
  const hint = hintFor({ status, detail, fields })
  return { exitCode: exitCodeOf(status), detail: detail.replace(FORBIDDEN, ''), hint, status, fields }
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
    return 'Check that the server is running and that its address is right: spaces profile list, --url, SPACES_URL'
  if (status === 401)
    return 'Your token is not valid any more. Sign in again: spaces login\nLost your key, too? The operator of the server can issue a new one: operate actor reset-key'
  if (status >= 500) return 'The server has a problem. Try again later'
  if (fields.error === 'agent_stopped') return 'Its sponsor can start it again: spaces agent start AGENT'
  if (fields.error === 'insufficient_scope')
    return `Use an account or a token that allows it: spaces token create NAME --scope ${scopeIn(fields)}\nFor an agent, its sponsor can give it a key that does: spaces agent rotate-key AGENT --help`
  if (fields.error === 'agent_connected')
    return howToFree(hasForm('actor ID', fields.agent_id) ? fields.agent_id : 'AGENT')
  if (fields.error === 'approvals_missing')
    return 'See which count: spaces decision show SPACE DECISION\nOthers approve it: spaces decision approve SPACE DECISION'
  if (fields.error === 'claimed')
    return 'Wait, or ask its holder. An owner of the space can take it over: spaces claim take-over'
  if (fields.error === 'claim_lost') return 'See who has it: spaces claim list SPACE'
  if (fields.error === 'loop_guard') return 'Wait until a human says something'
  if (fields.error === 'moved' && detail.endsWith(FORBIDDEN) && URL.canParse(String(fields.location)))
    return `If you trust that address, let your accounts follow: spaces profile allow ${new URL(String(fields.location)).origin}`
  if (SETTLERS_ONLY.includes(detail)) return 'See who may: spaces policy show SPACE'
  if (detail === 'Only owners of this space may do this') return 'See who they are: spaces space show SPACE'
  if (detail === 'Space is archived') return 'For 30 days its owners can bring it back: spaces space unarchive SPACE'
  if (detail === 'Space not found') return `${suggestionIn(fields)}List spaces: spaces space list`
  if (detail === 'Only an admin of the tenant may do this') return 'See which tenant you are in: spaces tenant show'
  if (detail.startsWith('The last admin of a tenant cannot leave'))
    return 'Choose one: spaces tenant members. Then: spaces tenant promote MEMBER'
  if (detail === 'Space is not active')
    return 'It is paused or archived. To resume a paused space: spaces space resume SPACE'
  return undefined
}

const SETTLERS_ONLY = [
  'Only humans may settle decisions here',
  'Not a resolver of this space',
  'The proposer of a decision may not settle it in this space',
]

const suggestionIn = ({ did_you_mean: name }: SpacesError['fields']) =>
  typeof name === 'string' && hasForm('space ID', name) ? `(Did you mean ${name}?)\n` : ''

/** Scopes are words: others could add to the command that a person copies. */
const scopeIn = ({ scope }: SpacesError['fields']) => (/^[a-z]+$/.test(String(scope)) ? String(scope) : 'SCOPE')

/** The end of an error that explains itself in terms of the client. */
const FORBIDDEN = ', which mayMoveTo does not allow'

/** The error itself explains this in terms of HTTP headers. */
const howToFree = (agent: string) =>
  `Release it first: spaces agent release ${agent}\n` +
  `Or take it over, and lock it out there: spaces agent rotate-key ${agent} --force`

/** A failure for scripts: one JSON object. */
export const asJson = ({ exitCode, detail, hint, status, fields }: Explanation): string =>
  cleanJson(JSON.stringify({ detail, ...fields, status, exit_code: exitCode, hint }))
