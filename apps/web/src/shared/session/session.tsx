import { type Client, type Fetch, SpacesError } from '@collab-spaces/client'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { Cell, useCell } from '../cell'
import { hasStatus } from '../explain'
import { Live } from '../live/live'
import { texts } from '../texts'
import { type Account, Accounts, type AccountsState } from './accounts'
import { clientFor, queryClient } from './client'

/** The accounts of this tab. */
export const accounts = new Accounts(window.sessionStorage, window.localStorage)

export const useAccounts = (): AccountsState => useCell(accounts.state)

export interface Session {
  readonly account: Account
  /** The API client of this account. */
  readonly client: Client
  /** The live changes of this account. */
  readonly live: Live
}

const SessionContext = createContext<Session | null>(null)

/** Returns the session of the active account. Only below `SessionProvider`, thus not on the sign-in page. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider')
  return session
}

/** The new addresses of moved tenants, by account. In memory only: after a reload, the server answers again. */
const movedTo = new Cell<Readonly<Record<string, string>>>({})

/** Returns the address to which the account's tenant has moved, if known. */
export const useMovedTo = (actorId: string | undefined): string | undefined => {
  const known = useCell(movedTo)
  return actorId === undefined ? undefined : known[actorId]
}

/** Returns a client that reports when the credential ends or the tenant moves. */
const clientAs = (actorId: string, token: string, send?: Fetch): Client =>
  clientFor(token, {
    send,
    onEnded: () => accounts.end(actorId, token),
    onMoved: (location) => movedTo.set({ ...movedTo.value, [actorId]: location }),
  })

/**
 * Calls as an account with its current credential, for work that outlives a session. Retries a call that was refused
 * because the credential has just been replaced. Throws a `SpacesError` with status 401 if the account is signed out.
 * `send` replaces `fetch`.
 */
export async function callAs<T>(actorId: string, call: (client: Client) => Promise<T>, send?: Fetch): Promise<T> {
  const account = accounts.find(actorId)
  if (!account) throw new SpacesError({ status: 401, detail: texts.errors.unauthorized, mayPass: false })
  try {
    return await call(clientAs(actorId, account.token, send))
  } catch (error) {
    const now = accounts.find(actorId)
    const isReplaced = now !== undefined && now.token !== account.token
    if (isReplaced && hasStatus(error, 401)) return callAs(actorId, call, send)
    throw error
  }
}

/** Provides the client, cache and live changes of one account. Each account has its own cache. */
export function SessionProvider({ account, children }: { readonly account: Account; readonly children: ReactNode }) {
  const { actorId, token } = account
  const client = useMemo(() => clientAs(actorId, token), [actorId, token])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a cache for each account
  const cache: QueryClient = useMemo(queryClient, [actorId])
  useEffect(() => () => cache.clear(), [cache])
  // Another credential may see other events.
  const live = useMemo(() => new Live(client, `live ${actorId} ${token.slice(-8)}`), [client, actorId, token])
  useEffect(() => live.open(), [live])
  const session = useMemo(() => ({ account, client, live }), [account, client, live])
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    </SessionContext>
  )
}
