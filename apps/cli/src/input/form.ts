import { failed } from '../failure.js'

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const prefixed = (prefix: string) => new RegExp(`^${prefix}_[0-9A-Za-z]{24}$`)

/** What a server issues and the command uses outside of requests: in a path, in the keyring, in a line to be pasted. */
const FORMS = {
  'actor ID': prefixed('(usr|agt)'),
  'space ID': /^[A-Za-z0-9][A-Za-z0-9._:@~-]{0,127}$/,
  token: /^svc_([0-9a-f]{64}|pat_[0-9a-f]{60})$/,
  'agent code': /^agt_code_[0-9a-f]{64}$/,
} as const

type Name = keyof typeof FORMS

declare const FORM: unique symbol

/** A string of a known form. Only `issued` makes one. */
export type IssuedString<Of extends Name> = string & { readonly [FORM]: Of }

export const hasForm = <Of extends Name>(name: Of, value: unknown): value is IssuedString<Of> =>
  typeof value === 'string' && FORMS[name].test(value)

/** Returns the string of an answer if it has its form. A server may answer with anything. */
export function issued<Of extends Name>(name: Of, value: string): IssuedString<Of> {
  if (hasForm(name, value)) return value
  throw failed(`The server sent a malformed ${name}`, 'Check its address: spaces profile list, --url, SPACES_URL')
}
