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
import { useCell } from '../cell'
import { useSession } from '../session/session'

/** A read as the account of this session. */
export function useRead<Data, Shown = Data>(
  queryKey: QueryKey,
  read: (client: Client, how: { readonly signal: AbortSignal }) => Promise<Data>,
  options?: Omit<UseQueryOptions<Data, Error, Shown>, 'queryKey' | 'queryFn'>,
) {
  const { client } = useSession()
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => read(client, { signal }) })
}

/** However well it is told, what is shown is read again now and then. */
const SELDOM_MS = 5 * 60_000

/** How often what signals keep up to date is read again: as often as that while there are none. */
export function useInterval(ms: number): number {
  const { live } = useSession()
  return useCell(live.connection) === 'live' ? SELDOM_MS : ms
}

/** A change as the account of this session; `after` brings the cache up to date. */
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

/** Has what these keys hold read again. */
export const refresh =
  (...keys: readonly QueryKey[]) =>
  (cache: QueryClient) =>
    Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })))

/** Forgets everything: an account that has moved sees other things. */
export const reset = (cache: QueryClient) => cache.resetQueries()

/** For an answer with a secret in it, which nothing is to remember. */
export const SECRET = { gcTime: 0 } as const
