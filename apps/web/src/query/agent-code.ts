import type { RouterInputs, RouterOutputs } from '@collab-spaces/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'

/** With it, an agent gets a key of its own, once. */
export type AgentCode = RouterOutputs['agentCode']['list'][number]

const CODES = ['agent codes'] as const

/** How often it is looked whether an agent has come. */
const EVERY_MS = 10_000

/** The codes of this account, the newest first. */
export function useAgentCodes() {
  const { client } = useSession()
  const cache = useQueryClient()
  return useQuery({
    queryKey: CODES,
    queryFn: async ({ signal }) => {
      const codes = await client.agentCode.list.query(undefined, { signal })
      const before = cache.getQueryData<readonly AgentCode[]>(CODES)
      const redeemed = (all: readonly AgentCode[] = []) => all.filter(({ redeemed_at }) => redeemed_at !== null).length
      if (redeemed(before) !== redeemed(codes)) void cache.invalidateQueries({ queryKey: ['agents'] })
      return codes
    },
    refetchInterval: EVERY_MS,
  })
}

export function useCreateAgentCode() {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (code: RouterInputs['agentCode']['create']) => client.agentCode.create.mutate(code),
    onSuccess: () => cache.invalidateQueries({ queryKey: CODES }),
    // It has a secret in it, which nothing is to remember.
    gcTime: 0,
  })
}

export function useRevokeAgentCode(codeId: string) {
  const { client } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => client.agentCode.revoke.mutate({ code_id: codeId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: CODES }),
  })
}
