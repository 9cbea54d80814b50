import { appRouter, asTrpcError, refusalOf } from '@collab-spaces/api'
import { getTRPCErrorFromUnknown, getTRPCErrorShape, type ProcedureType } from '@trpc/server'

/** An error as tRPC's clients expect it, where tRPC does not answer itself. */
export function errorShape(error: unknown, type: ProcedureType | 'unknown', path?: string) {
  const refused = refusalOf(error)
  return getTRPCErrorShape({
    config: appRouter._def._config,
    error: refused ? asTrpcError(refused) : getTRPCErrorFromUnknown(error),
    type,
    path,
    input: undefined,
    ctx: undefined,
  })
}
