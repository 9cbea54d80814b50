import { Option } from '@commander-js/extra-typings'
import { future } from './moment.js'
import { listed, listedOf } from './parsers.js'

const NAMES = ['read', 'write', 'react', 'settle', 'manage', 'account'] as const

/** The scopes of keys and tokens, for help. */
export const SCOPES = 'read, write, settle, manage or account'

const scopes = listedOf(NAMES, `It must be ${SCOPES}.`)

/** The same where `all` is no rule. */
export const agentScopes = (given: string, earlier: ReturnType<typeof scopes> | null | undefined) =>
  given === 'all' ? null : scopes(given, earlier ?? undefined)

/** The scopes of an agent's key without the option, unless the policy of its tenant says something else. */
export const OF_AGENTS = 'read, write and settle'

/** The option for the scopes of a credential. `credential` is what the help calls it, `otherwise` what it gets without the option. */
export const scopeOption = (credential: string, otherwise = 'all') =>
  new Option(
    '--scope <scope>',
    `Scope to grant ${credential}: ${SCOPES}; repeatable (default: ${otherwise})`,
  ).argParser(scopes)

/** The spaces that a credential is limited to. `purpose` is what a space is given for. */
export const spaceOption = (purpose: string, otherwise = 'all spaces') =>
  new Option('--space <space>', `${purpose}; repeatable (default: ${otherwise})`).argParser(listed)

/** When a credential expires. */
export const expiresOption = (credential: string, otherwise = 'never') =>
  new Option(
    '--expires <time>',
    `Expiry of ${credential}: a date, or a time from now such as 12h or 30d (default: ${otherwise})`,
  ).argParser(future)
