import { type Client, type RouterInputs, SpacesError } from '@collab-spaces/client'
import { useSession } from '../session/session'
import { useChange, useRead } from './call'
import type { TokenScope } from './credential'

/** An OAuth authorization request. */
export interface ConnectRequest {
  /** The unverified name that the client gives. */
  readonly client_name: string | null
  /** The verified host of its metadata document; null for a dynamically registered client. */
  readonly client_host: string | null
  /** The host of the redirect URI. */
  readonly redirect_to: string
  readonly scopes: readonly TokenScope[]
}

/** The granted limits, or a refusal. */
type ConnectAnswer =
  | ({ readonly actor_id: string } & Pick<RouterInputs['token']['create'], 'scopes' | 'space_ids' | 'expires_at'>)
  | { readonly error: 'access_denied' }

/** Returns an authorization request, which only the browser that started it can read. */
export const useConnectRequest = (uid: string) =>
  useRead(
    ['connect', uid],
    async (_client, { signal }) => answerOf<ConnectRequest>(await fetch(pathOf(uid, 'request'), { signal })),
    { staleTime: Number.POSITIVE_INFINITY },
  )

/** Answers a request as this account. The browser must then follow the redirect. */
export function useAnswer(uid: string) {
  const { account } = useSession()
  return useChange(
    async (_client: Client, answer: ConnectAnswer) =>
      answerOf<{ readonly redirect_to: string }>(
        await fetch(pathOf(uid, 'answer'), {
          method: 'POST',
          headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(answer),
        }),
      ),
    () => {},
  )
}

/** Not API operations: they depend on a cookie of this browser. */
const pathOf = (uid: string, part: string) => `/connect/${encodeURIComponent(uid)}/${part}`

async function answerOf<T>(response: Response): Promise<T> {
  const body = await response.json()
  if (response.ok) return body
  throw new SpacesError({ status: response.status, detail: body.detail, mayPass: false })
}
