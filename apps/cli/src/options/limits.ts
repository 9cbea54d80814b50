import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { listed } from './listed.js'
import { future } from './moment.js'

const NAMES = ['read', 'write', 'settle', 'manage'] as const
type Scope = (typeof NAMES)[number]

/** What a key or a token can allow, for help. */
const SCOPES = 'read, write, settle or manage'

const isScope = (given: string): given is Scope => NAMES.some((name) => name === given)

/** Collects the values of a repeatable option that is a scope. */
function scopes(given: string, earlier: Scope[] | undefined): Scope[] {
  if (!isScope(given)) throw new InvalidArgumentError(`It must be ${SCOPES}.`)
  return [...(earlier ?? []), given]
}

/** What a credential allows. `credential` is what the help calls it, `otherwise` what it allows without the option. */
export const scopeOption = (credential: string, otherwise = 'all') =>
  new Option('--scope <scope>', `What ${credential} allows: ${SCOPES}; repeatable (default: ${otherwise})`).argParser(
    scopes,
  )

/** What a credential opens, as in `its key opens`. */
export const spaceOption = (opening: string, otherwise = 'all') =>
  new Option('--space <space>', `Space that ${opening}; repeatable (default: ${otherwise})`).argParser(listed)

/** When a credential ends. */
export const expiresOption = (credential: string, otherwise = 'never') =>
  new Option(
    '--expires <time>',
    `When ${credential} ends: a date, or a time from now such as 12h or 30d (default: ${otherwise})`,
  ).argParser(future)
