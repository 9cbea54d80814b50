import { InvalidArgumentError } from '@commander-js/extra-typings'

const NAMES = ['read', 'write', 'settle', 'manage'] as const
type Scope = (typeof NAMES)[number]

/** What a key or a token can allow, for help. */
export const SCOPES = 'read, write, settle or manage'

const isScope = (given: string): given is Scope => NAMES.some((name) => name === given)

/** Collects the values of a repeatable option that is a scope. */
export function scopes(given: string, earlier: Scope[] | undefined): Scope[] {
  if (!isScope(given)) throw new InvalidArgumentError(`It must be ${SCOPES}.`)
  return [...(earlier ?? []), given]
}
