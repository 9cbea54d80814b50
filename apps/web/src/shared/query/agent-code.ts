import type { AgentCode, RouterInputs } from '@collab-spaces/client'
import { useQueryClient } from '@tanstack/react-query'
import { refresh, SECRET, useChange, useInterval, useRead } from './call'

const CODES = ['agent codes'] as const

/** The refetch intervals while a code is open, and while its dialog is open. */
const OPEN_INTERVAL_MS = 60_000
const AWAITED_INTERVAL_MS = 2_000

/** Returns the agent codes of this account, newest first. */
export function useAgentCodes(isAwaited = false) {
  const cache = useQueryClient()
  const seldomMs = useInterval(OPEN_INTERVAL_MS)
  return useRead(
    CODES,
    async (client, how) => {
      const codes = await client.agentCode.list.query(undefined, how)
      const before = cache.getQueryData<readonly AgentCode[]>(CODES)
      const redeemed = (all: readonly AgentCode[] = []) => all.filter(({ redeemed_at }) => redeemed_at !== null).length
      if (redeemed(before) !== redeemed(codes)) void cache.invalidateQueries({ queryKey: ['agents'] })
      return codes
    },
    {
      refetchInterval: ({ state: { data } }) =>
        isAwaited ? AWAITED_INTERVAL_MS : data?.some(isOpenCode) ? OPEN_INTERVAL_MS : seldomMs,
    },
  )
}

export const useCreateAgentCode = () =>
  useChange(
    (client, code: RouterInputs['agentCode']['create']) => client.agentCode.create.mutate(code),
    refresh(CODES),
    SECRET,
  )

export const useRevokeAgentCode = (codeId: string) =>
  useChange((client) => client.agentCode.revoke.mutate({ code_id: codeId }), refresh(CODES))

/** Returns whether a code has been redeemed. Refetches more often than the list. */
export function useIsRedeemed(codeId: string): boolean {
  const { data: codes } = useAgentCodes(true)
  return codes?.some(({ code_id, redeemed_at }) => code_id === codeId && redeemed_at !== null) ?? false
}

/** Returns whether an agent can still redeem a code. */
export const isOpenCode = ({ redeemed_at, revoked_at, expires_at }: AgentCode): boolean =>
  redeemed_at === null && revoked_at === null && Date.parse(expires_at) > Date.now()
