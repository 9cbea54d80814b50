import { type Client, type RouterInputs, SpacesError } from '@collab-spaces/client'
import { useSession } from '../session/session'
import { useChange, useRead } from './call'
import type { TokenScope } from './credential'

/** The request of a program, and facts about it. */
export interface ConnectRequest {
  /** Its own name for itself. */
  readonly client_name: string | null
  /** The address at which it describes itself, which is its own; null if it only says who it is. */
  readonly client_host: string | null
  /** Where the browser goes afterwards. */
  readonly redirect_to: string
  readonly scopes: readonly TokenScope[]
}

/** The rights that somebody gives it, or a refusal. */
type ConnectAnswer =
  | ({ readonly actor_id: string } & Pick<RouterInputs['token']['create'], 'scopes' | 'space_ids' | 'expires_at'>)
  | { readonly error: 'access_denied' }

/** A request of a program, which only the browser in which it was begun is told. */
export const useConnectRequest = (uid: string) =>
  useRead(
    ['connect', uid],
    async (_client, { signal }) => answerOf<ConnectRequest>(await fetch(pathOf(uid, 'request'), { signal })),
    { staleTime: Number.POSITIVE_INFINITY },
  )

/** Answers it as this account. The browser then has to go where it is told. */
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

/** Not operations of the service: what they do depends on a cookie of this browser, which other programs do not have. */
const pathOf = (uid: string, part: string) => `/connect/${encodeURIComponent(uid)}/${part}`

async function answerOf<T>(response: Response): Promise<T> {
  const body = await response.json()
  if (response.ok) return body
  throw new SpacesError({ status: response.status, detail: body.detail, mayPass: false })
}
