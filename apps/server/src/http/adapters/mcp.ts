import { LATE_MS, requireCaller, type Services } from '@collab-spaces/api'
import { BODY_BYTES, forbidden } from '@collab-spaces/domain'
import type { Request, RequestHandler } from 'express'
import type { BodyReader } from '../body/reader.js'
import { MethodNotAllowed, type ReportFault } from '../errors.js'
import { whenGone } from '../gone.js'
import type { ServeMcp } from '../mcp/server.js'
import { contextOf, type Sender } from '../sender.js'
import { credentialOf } from '../target.js'
import { sendResponse } from '../write.js'

export const MCP_PATH = '/mcp'

export interface McpOptions {
  readonly services: Services
  readonly sender: Sender
  readonly report: ReportFault
  readonly bodies: BodyReader
  /** The value of `WWW-Authenticate` for OAuth; null without OAuth. */
  readonly challenge: () => string | null
  /** Further origins of pages that may call. */
  readonly origins: readonly string[]
}

/**
 * MCP: the same procedures as tools, for agents. This adapter authenticates requests and limits their size. The library of
 * the protocol is loaded by the first request.
 */
export function mcp({ services, sender, report, bodies, challenge, origins }: McpOptions): RequestHandler {
  let loaded: Promise<ServeMcp> | undefined
  const server = () => {
    loaded ??= import('../mcp/server.js').then(({ mcpServer }) => mcpServer())
    return loaded
  }

  return async (request, response) => {
    request.operation = 'refused'
    if (request.method !== 'POST') throw new MethodNotAllowed('POST')
    requireOrigin(request)
    response.challenge = challenge() ?? response.challenge
    // Only from the header: URLs end up in configurations and logs.
    const token = credentialOf(request.headers.authorization, '')
    const context = { ...contextOf(services, sender, request, token), resource: 'mcp' as const }
    const caller = await requireCaller(context)
    const authenticatedAt = performance.now()
    const body = await bodies.read(request, BODY_BYTES.text)
    request.operation = 'mcp'
    const serve = await server()
    // As for REST, authenticates again only if the body took long.
    const known = performance.now() - authenticatedAt > LATE_MS ? undefined : caller
    const exchange = { request, caller, context: { ...context, known }, report }
    const answer = await serve(exchange, body, abortOnDisconnect(request))
    await sendResponse(response, answer)
  }

  /** Refuses pages of other origins, which could reach a private server through the browser of a visitor. */
  function requireOrigin(request: Request): void {
    const { origin } = request.headers
    if (!sender.isForeignPage(request) || (origin !== undefined && origins.includes(origin))) return
    throw forbidden('Pages of this origin may not use the MCP server; the operator can add the origin to MCP_ORIGINS')
  }
}

/** Returns a signal that aborts when the client disconnects before the response. */
function abortOnDisconnect(request: Request): AbortSignal {
  const controller = new AbortController()
  whenGone(request, () => controller.abort())
  return controller.signal
}
