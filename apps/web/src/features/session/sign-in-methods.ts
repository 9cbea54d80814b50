import type { RouterOutputs } from '@collab-spaces/client'
import { useEffect, useState } from 'react'
import { deviceName } from '../../shared/browser/device-name'
import { clientFor } from '../../shared/session/client'
import { accounts } from '../../shared/session/session'
import { startSignIn } from './pending-sign-in'

export type SignInMethods = RouterOutputs['signIn']['ways']
type SignedIn = RouterOutputs['signIn']['finishPasskey']

/** Returns the server's sign-in methods besides keys; null until they load, or if they cannot be loaded. */
export function useSignInMethods(): SignInMethods | null {
  const [ways, setWays] = useState<SignInMethods | null>(null)
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

/** Returns whether passkeys work here: they are bound to one origin and need a secure context. */
export const supportsPasskeys = ({ passkeys }: SignInMethods): boolean =>
  passkeys?.origin === window.location.origin && 'PublicKeyCredential' in window

/** Returns the origin at which passkeys work, if it is another one; null if they work here, or nowhere. */
export const passkeyOrigin = ({ passkeys }: SignInMethods): string | null =>
  passkeys && passkeys.origin !== window.location.origin && 'PublicKeyCredential' in window ? passkeys.origin : null

/** Redirects to the identity provider, which redirects back to `SignInCallback`. */
export async function redirectToProvider(how: { readonly isRemembered: boolean; readonly bindTo: string | null }) {
  const { url } = await clientFor().signIn.beginOidc.mutate({ challenge: await startSignIn(how) })
  window.location.assign(url)
}

export async function signInWithPasskey(isRemembered: boolean): Promise<void> {
  const client = clientFor()
  // Loads after the first view.
  const [{ options }, { startAuthentication }] = await Promise.all([
    client.signIn.beginPasskey.mutate(),
    import('@simplewebauthn/browser'),
  ])
  const response = await startAuthentication({ optionsJSON: options as never })
  const name = deviceName(navigator.userAgent)
  completeSignIn(await client.signIn.finishPasskey.mutate({ response: { ...response } as never, name }), isRemembered)
}

export function completeSignIn({ actor, token, logout_url: logoutUrl }: SignedIn, isRemembered: boolean): void {
  const { actor_id: actorId, display_name: name, actor_type: kind } = actor
  accounts.add({ actorId, name, kind, token, isRemembered, isSession: true, logoutUrl })
}
