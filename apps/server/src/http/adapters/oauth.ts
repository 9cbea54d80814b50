import { giveGrant, requireCaller, type Services } from '@collab-spaces/api'
import {
  BODY_BYTES,
  conflict,
  cutText,
  DEFAULT_GRANT_SCOPES,
  DomainError,
  diskFull,
  forbidden,
  isVisible,
  LIMITS,
  placeOf,
  plainLine,
  type Resource,
  TOKEN_SCOPES,
} from '@collab-spaces/domain'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { InteractionResults } from 'oidc-provider'
import type { Logger } from 'pino'
import type { Provider, ProviderOptions } from '../../oauth/provider.js'
import type { ServerKey } from '../../server-key.js'
import type { AddressGuard } from '../../webhooks/address-guard.js'
import type { BodyReader } from '../body/reader.js'
import { only, type ReportFault } from '../errors.js'
import { contextOf, type Sender } from '../sender.js'
import { credentialOf } from '../target.js'
import { sendJson } from '../write.js'

export interface OauthOptions {
  readonly services: Services
  readonly sender: Sender
  readonly report: ReportFault
  readonly log: Logger
  readonly bodies: BodyReader
  readonly publicUrl: () => string
  /** The server key, and the address guard for client documents; or why OAuth is off. */
  readonly oauth: OauthKeys | string
}

export interface OauthKeys {
  readonly key: ServerKey
  readonly guard: AddressGuard
}

/** Returns the challenge that refers a client without a token to the OAuth metadata. */
export const challengeOf = (publicUrl: string): string =>
  `Bearer resource_metadata="${new URL(publicUrl).origin}${METADATA}/mcp", scope="${DEFAULT_GRANT_SCOPES.join(' ')}"`

/** The prefix of resource metadata (RFC 9728). */
const METADATA = '/.well-known/oauth-protected-resource'

/**
 * OAuth 2.1: how a program obtains a limited credential without a key. The library, loaded by the first request, handles the
 * protocol. The page posts the human's answer here, with its credential and the cookie of the browser in which the
 * authorization request was made.
 */
export function oauth({ services, sender, report, log, bodies, publicUrl, oauth: keys }: OauthOptions): Router {
  const router = Router({ caseSensitive: true, strict: true })
  if (typeof keys === 'string') {
    router.use(['/.well-known/oauth-*rest', '/oauth/*rest', '/connect/*rest'], (request, _response, next) => {
      if (request.headers.accept?.includes('text/html')) return next()
      throw new DomainError('unknown', `OAuth is off: ${keys}`)
    })
    return router
  }
  let opened: ReturnType<typeof load> | undefined
  const open = () => {
    opened ??= load({
      ...keys,
      services,
      issuer: issuer(),
      addressOf: (request) => sender.address(request),
      report: (error, request) => report(error, (request as Request).id),
      reportUnknown: ({ address: clientId, why }, error, request) =>
        log.warn(
          { err: error, clientId, why, requestId: (request as Request).id },
          'the document of an OAuth client was not accepted',
        ),
    })
    return opened
  }
  const issuer = () => new URL(publicUrl()).origin

  router
    .route(['mcp', 'mcp/', 'api', 'api/'].map((path) => `${METADATA}/${path}`))
    .get((request, response) => {
      const resource = request.target.path.slice(METADATA.length + 1).replace('/', '') as Resource
      sendJson(response, 200, JSON.stringify(resourceMetadata(issuer(), resource)))
    })
    .all(only('GET, HEAD'))
  router.route('/.well-known/oauth-authorization-server').get(answer).all(only('GET, HEAD'))
  router.route('/oauth/authorize').get(counted('authorizations'), answer).all(only('GET, HEAD'))
  router.route('/oauth/authorize/:uid').get(answer).all(only('GET, HEAD'))
  router.route('/oauth/register').post(counted('clients'), answer).all(only('POST'))
  router.route('/oauth/token').post(answer).all(only('POST'))
  router.route('/oauth/revoke').post(answer).all(only('POST'))
  router.route('/connect/:uid/request').get(withOurRefusals(tellRequest)).all(only('GET, HEAD'))
  router.route('/connect/:uid/answer').post(withOurRefusals(takeAnswer)).all(only('POST'))
  return router

  /** Makes the library write URLs with the public URL instead of the requested host. */
  async function answer(request: Request, response: Response): Promise<void> {
    request.operation = 'oauth'
    const { host, protocol } = new URL(publicUrl())
    request.headers['x-forwarded-host'] = host
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    const { handle } = await open()
    await handle(request, response)
  }

  function counted(limit: 'authorizations' | 'clients'): RequestHandler {
    return (request, _response, next) => {
      const address = sender.address(request)
      if (address !== null) services.limits[limit].take(address)
      if (services.isDiskLow()) throw diskFull()
      next()
    }
  }

  /** Presents an authorization request in the browser that made it. */
  async function tellRequest(request: Request, response: Response): Promise<void> {
    request.operation = 'oauth'
    const { provider } = await open()
    const authorization = await askedOf(provider, request, response)
    sendJson(response, 200, JSON.stringify(presentRequest(authorization)))
  }

  /** Takes the human's answer to an authorization request. */
  async function takeAnswer(request: Request, response: Response): Promise<void> {
    request.operation = 'refused'
    if (sender.isForeignPage(request)) throw forbidden('A page of another origin cannot answer for you')
    const { provider, credentialIdOf, consentTo, spellingsOf } = await open()
    const caller = await requireCaller(
      contextOf(services, sender, request, credentialOf(request.headers.authorization, '')),
    )
    const { interaction, clientId, name } = await askedOf(provider, request, response)
    if (interaction.result) throw conflict('This request has been answered: go back to the program')
    const body = await bodies.read(request, BODY_BYTES.usual)
    request.operation = 'oauth'
    const answerWith = async (result: InteractionResults) => {
      const url = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: false })
      sendJson(response, 200, JSON.stringify({ redirect_to: url }))
    }
    if ('error' in body) return answerWith({ error: 'access_denied', error_description: 'the person said no' })
    const { accountId } = consentTo('').login
    const grant = new provider.Grant({ accountId, clientId })
    for (const spelling of spellingsOf(String(interaction.params.resource))) {
      grant.addResourceScope(spelling, String(interaction.params.scope))
    }
    const grantId = await grant.save()
    await giveGrant(services, caller, { patId: credentialIdOf(grantId), name, clientId }, body)
    await answerWith(consentTo(grantId))
  }
}

/** Sends a refusal outside the protocol in the common form. */
const withOurRefusals =
  (handler: (request: Request, response: Response) => Promise<void>): RequestHandler =>
  (request, response) =>
    handler(request, response).catch((error: Error) => {
      throw error.cause instanceof DomainError ? error.cause : error
    })

async function load(options: ProviderOptions) {
  const { openProvider, consentTo, credentialIdOf, spellingsOf } = await import('../../oauth/provider.js')
  const provider = openProvider(options)
  return { provider, handle: provider.callback(), consentTo, credentialIdOf, spellingsOf }
}

/** Presents a resource's metadata (RFC 9728): its authorization server and common scopes. */
const resourceMetadata = (issuer: string, resource: Resource) => ({
  resource: `${issuer}/${resource}`,
  authorization_servers: [issuer],
  scopes_supported: DEFAULT_GRANT_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Collaboration Spaces',
})

/**
 * Returns the authorization request of this browser, and the client's name for the list of credentials. 404 for an expired
 * request and for one of another browser.
 */
async function askedOf(provider: Provider, request: Request, response: Response) {
  const interaction = await provider.interactionDetails(request, response).catch((error: Error) => {
    if (error.name === 'SessionNotFound') return null
    throw error
  })
  if (!interaction || interaction.uid !== request.params.uid) {
    throw new DomainError('unknown', 'This request has expired or was made in another browser: go back to the program')
  }
  const clientId = String(interaction.params.client_id)
  // Without its document, the client has no name.
  const client = await provider.Client.find(clientId).catch(() => undefined)
  const clientName = shownName(client?.clientName)
  return { interaction, clientId, clientName, name: nameOf(clientName, String(interaction.params.redirect_uri)) }
}

const isDocument = (clientId: string) => clientId.startsWith('https://')

/** Presents a client by its own name and by its verified origin: only a document proves one. */
function presentRequest({ interaction: { params, exp }, clientId, clientName }: Awaited<ReturnType<typeof askedOf>>) {
  const scopes = String(params.scope).split(' ')
  return {
    client_name: clientName,
    client_host: isDocument(clientId) ? placeOf(clientId) : null,
    redirect_to: placeOf(String(params.redirect_uri)),
    resource: new URL(String(params.resource)).pathname.split('/')[1],
    scopes: TOKEN_SCOPES.filter((scope) => scopes.includes(scope)),
    expires_at: new Date(exp * 1_000).toISOString(),
  }
}

/** Returns the client's own name on one line; null if it is invisible. */
function shownName(name: string | undefined): string | null {
  const plain = plainLine(name?.toWellFormed() ?? '')
  return isVisible(plain) ? plain : null
}

/** Returns the client's name and location, shortened to the limit. */
function nameOf(clientName: string | null, redirectUri: string): string {
  const place = placeOf(redirectUri)
  return cutText(clientName === null ? place : `${clientName} (${place})`, LIMITS.tokenName)
}
