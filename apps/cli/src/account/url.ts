import { usage } from '../failure.js'

/** Where a server of one's own listens when nothing else was said. */
export const DEFAULT_URL = 'http://127.0.0.1:8080'

/** An address as it is kept and compared. `from` names where it was given, for the error. */
export function serverUrl(given: string, from: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usage(`${from}: this is not the address of a server`, `It looks like ${DEFAULT_URL}`)
  }
  if (url.username || url.password) throw usage(`${from}: an address must not hold a name or password`)
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** The name of an account on a server, when it is given none. */
export const hostOf = (url: string) => new URL(url).host
