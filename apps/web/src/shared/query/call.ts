import type { Client } from '@collab-spaces/client'
import {
  type QueryClient,
  type QueryKey,
  type UseMutationOptions,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useCell } from '../cell'
import { useSession } from '../session/session'

/** A query as the account of this session. */
export function useRead<Data, Shown = Data>(
  queryKey: QueryKey,
  read: (client: Client, how: { readonly signal: AbortSignal }) => Promise<Data>,
  options?: Omit<UseQueryOptions<Data, Error, Shown>, 'queryKey' | 'queryFn'>,
) {
  const { client } = useSession()
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => read(client, { signal }) })
}

/** The refetch interval while signals keep queries up to date. */
const SIGNALED_INTERVAL_MS = 5 * 60_000

/** Returns the refetch interval of a signaled query: long while connected, else the given one. */
export function useInterval(ms: number): number {
  const { live } = useSession()
  return useCell(live.connection) === 'live' ? SIGNALED_INTERVAL_MS : ms
}

/** A mutation as the account of this session. `after` updates the cache. */
export function useChange<Output, Input = void>(
  change: (client: Client, input: Input) => Promise<Output>,
  after: (cache: QueryClient, output: Output) => unknown,
  options?: Pick<UseMutationOptions<Output, Error, Input>, 'gcTime'>,
) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    ...options,
    mutationFn: (input: Input) => change(client, input),
    onSuccess: (output) => after(cache, output),
  })
}

/** Returns a function that invalidates the keys. */
export const refresh =
  (...keys: readonly QueryKey[]) =>
  (cache: QueryClient) =>
    Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })))

/** Resets all queries: an account that changed its tenant sees other data. */
export const reset = (cache: QueryClient) => cache.resetQueries()

/** Options for a response with a secret, which must not stay in the cache. */
export const SECRET = { gcTime: 0 } as const

const DEBOUNCE_MS = 200

/** Returns a debounced value. */
export function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
