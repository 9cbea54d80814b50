import { invalid } from './errors.js'

/** The names by which people send a code or a credential: `invite_code`, `apiKey`, `token` … */
const KINDS = 'code|token|key|secret|invite|invitation|credential'
const WHOSE = 'invite|invitation|agent|api|access|auth|join|login|personal|redeem|redemption|registration|signup|tenant'
const LOOKS_LIKE_A_CODE = new RegExp(`^(?:(?:${WHOSE})_?)*(?:${KINDS})s?$`)

const inSnakeCase = (name: string) => name.replace(/([a-z])([A-Z])|-/g, '$1_$2').toLowerCase()

/**
 * Refuses a code under a wrong name in an input that takes one as `code` (`known` are the fields it has). An unknown field is
 * ignored otherwise, and an invited human would be registered outside the tenant silently.
 */
export function requireCodeByItsName(input: object, known: Readonly<Record<string, unknown>>): void {
  if (!('code' in known)) return
  for (const [name, value] of Object.entries(input)) {
    if (Object.hasOwn(known, name) || value === null || value === undefined) continue
    if (!LOOKS_LIKE_A_CODE.test(inSnakeCase(name))) continue
    throw invalid(name, 'is not a field here: the code belongs in code, and a credential in the header Authorization')
  }
}
