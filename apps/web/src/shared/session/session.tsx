import { type Client, SpacesError } from '@collab-spaces/client'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { Cell, useCell } from '../cell'
import { hasStatus } from '../explain'
import { Live } from '../live/live'
import { texts } from '../texts'
import { type Account, Accounts, type AccountsState } from './accounts'
import { clientFor, queryClient } from './client'

/** The accounts of this tab: there is one tab, so there is one of these. */
export const accounts = new Accounts(window.sessionStorage, window.localStorage)

export const useAccounts = (): AccountsState => useCell(accounts.state)

export interface Session {
  readonly account: Account
  /** Every operation of the service, as this account. */
  readonly client: Client
  /** Changes for this account, as they happen. */
  readonly live: Live
}

const SessionContext = createContext<Session | null>(null)

/** The account that is signed in. Only below `SessionProvider`, which is everywhere but at the door. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Nobody is signed in here')
  return session
}

/** Where the tenants of accounts are that have moved, by the account. A reload asks again: they may have come back. */
const moves = new Cell<Readonly<Record<string, string>>>({})

/** The address that the tenant of an account has moved to, as far as this page has been told. */
export const useMove = (actorId: string | undefined): string | undefined => {
  const known = useCell(moves)
  return actorId === undefined ? undefined : known[actorId]
}

/** Any call tells whether the credential has ended, or the tenant has moved. */
const clientAs = (actorId: string, token: string): Client =>
  clientFor(token, {
    onEnded: () => accounts.end(actorId, token),
    onMoved: (location) => moves.set({ ...moves.value, [actorId]: location }),
  })

/**
 * Calls as an account, with its credential at that time: for things that outlive a session. A call that is refused
 * because the credential has just been replaced is made again. Throws a `SpacesError` with status 401 if the account is
 * signed out.
 */
export async function callAs<T>(actorId: string, call: (client: Client) => Promise<T>): Promise<T> {
  const account = accounts.find(actorId)
  if (!account) throw new SpacesError({ status: 401, detail: texts.errors.unauthorized, mayPass: false })
  try {
    return await call(clientAs(actorId, account.token))
  } catch (error) {
    const now = accounts.find(actorId)
    const isReplaced = now !== undefined && now.token !== account.token
    if (isReplaced && hasStatus(error, 401)) return callAs(actorId, call)
    throw error
  }
}

/** Sees with the eyes of one account. Another account, or another key, begins with an empty cache. */
export function SessionProvider({ account, children }: { readonly account: Account; readonly children: ReactNode }) {
  const { actorId, token } = account
  const client = useMemo(() => clientAs(actorId, token), [actorId, token])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a cache for each account
  const cache: QueryClient = useMemo(queryClient, [actorId])
  useEffect(() => () => cache.clear(), [cache])
  // With another credential, other things may be seen.
  const live = useMemo(() => new Live(client, `live ${actorId} ${token.slice(-8)}`), [client, actorId, token])
  useEffect(() => live.open(), [live])
  const session = useMemo(() => ({ account, client, live }), [account, client, live])
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    </SessionContext>
  )
}
