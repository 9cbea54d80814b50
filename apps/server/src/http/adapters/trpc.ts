import { appRouter, type Context, refusalOf, type Services, valueBudget } from '@collab-spaces/api'
import { LIMITS } from '@collab-spaces/domain'
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http'
import { countedAddress } from '../address.js'
import type { ReportFault } from '../errors.js'
import type { Exchange } from '../exchange.js'
import { credentialOf } from '../target.js'
import { type ConnectionParams, subscriptionHandler } from './trpc-subscription.js'

const BASE_PATH = '/trpc/'
/** As many calls as a program may put into one request. */
const MAX_BATCH = 100

/** The tRPC door: the same procedures, with batching and subscriptions, for TypeScript clients. Null for other paths. */
export function trpcDoor(
  services: Services,
  trustProxy: number,
  report: ReportFault,
): (exchange: Exchange) => Promise<void> | null {
  const subscribe = subscriptionHandler(report)

  return (exchange) => {
    const { request, path, query, id } = exchange
    if (!path.startsWith(BASE_PATH)) return null
    const name = path.slice(BASE_PATH.length)
    const contextOf = (connectionParams: ConnectionParams): Context => ({
      services,
      token: credentialOf(request.headers.authorization, query) ?? connectionParams?.token,
      address: () => countedAddress(request, trustProxy),
      values: valueBudget(),
    })
    const subscribed = subscribe(exchange, name, contextOf)
    if (subscribed) return subscribed
    return nodeHTTPRequestHandler({
      router: appRouter,
      maxBodySize: LIMITS.bodyBytes,
      maxBatchSize: MAX_BATCH,
      req: request,
      res: exchange.prepare(),
      path: name,
      createContext: ({ info }) => contextOf(info.connectionParams),
      onError({ error }) {
        if (!refusalOf(error) && error.code === 'INTERNAL_SERVER_ERROR') report(error, id)
      },
    })
  }
}
