import type { RouterOutputs } from '@collab-spaces/client'
import { startAuthentication } from '@simplewebauthn/browser'
import { useEffect, useState } from 'react'
import { deviceName } from '../../shared/browser/device-name'
import { clientFor } from '../../shared/session/client'
import { accounts } from '../../shared/session/session'
import { begin } from './begun'

export type Ways = RouterOutputs['signIn']['ways']
type SignedIn = RouterOutputs['signIn']['finishPasskey']

/** How somebody can sign in here, beside keys; null until that is known. Without an answer, keys it is. */
export function useWays(): Ways | null {
  const [ways, setWays] = useState<Ways | null>(null)
  useEffect(() => {
    let isWanted = true
    clientFor()
      .signIn.ways.query()
      .then((known) => isWanted && setWays(known))
      .catch(() => {})
    return () => {
      isWanted = false
    }
  }, [])
  return ways
}

/** Passkeys are for one name, and browsers have them only where nobody listens in. */
export const hasPasskeysHere = ({ passkeys }: Ways): boolean =>
  passkeys?.origin === window.location.origin && 'PublicKeyCredential' in window

/** Leaves for the provider, which sends the browser back to `SignInCallback`. */
export async function goToProvider(how: { readonly isRemembered: boolean; readonly bindTo: string | null }) {
  const { url } = await clientFor().signIn.beginOidc.mutate({ challenge: await begin(how) })
  window.location.assign(url)
}

export async function signInWithPasskey(isRemembered: boolean): Promise<void> {
  const client = clientFor()
  const { options } = await client.signIn.beginPasskey.mutate()
  const response = await startAuthentication({ optionsJSON: options as never })
  const name = deviceName(navigator.userAgent)
  comeIn(await client.signIn.finishPasskey.mutate({ response: { ...response } as never, name }), isRemembered)
}

export function comeIn({ actor, token }: SignedIn, isRemembered: boolean): void {
  const { actor_id: actorId, display_name: name, actor_type: kind } = actor
  accounts.add({ actorId, name, kind, token, isRemembered, isSession: true })
}
