import type { Client } from '@collab-spaces/client'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import { clientFor, queryClientFor } from '../query/client'
import { type Account, Accounts, type AccountsState } from './accounts'

/** The accounts of this tab: there is one tab, so there is one of these. */
export const accounts = new Accounts(window.sessionStorage, window.localStorage)

export const useAccounts = (): AccountsState => useSyncExternalStore(accounts.subscribe, () => accounts.state)

export interface Session {
  readonly account: Account
  /** Every operation of the service, as this account. */
  readonly client: Client
}

const SessionContext = createContext<Session | null>(null)

/** Who is signed in. Only below `SessionProvider`, which is everywhere but at the door. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Nobody is signed in here')
  return session
}

/** Sees with the eyes of one account. Another account, or another key, begins with an empty cache. */
export function SessionProvider({ account, children }: { readonly account: Account; readonly children: ReactNode }) {
  const { actorId, token } = account
  const client = useMemo(() => clientFor(token), [token])
  const cache: QueryClient = useMemo(() => queryClientFor(() => accounts.end(actorId)), [actorId])
  useEffect(() => () => cache.clear(), [cache])
  const session = useMemo(() => ({ account, client }), [account, client])
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    </SessionContext>
  )
}
