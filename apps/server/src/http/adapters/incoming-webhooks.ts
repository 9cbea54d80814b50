import { fairKeyOf, hasSecret, hasSigned, receive, type Services } from '@collab-spaces/api'
import { databaseClock, type IncomingWebhookRecord } from '@collab-spaces/db'
import {
  BODY_BYTES,
  checkJson,
  type IncomingFormat,
  invalid,
  isSigned,
  type JsonObject,
  unauthenticated,
  unknown,
} from '@collab-spaces/domain'
import { type Request, type RequestHandler, Router } from 'express'
import { type BodyReader, exactJson, jsonObjectIn } from '../body/reader.js'
import { only } from '../errors.js'
import { contextOf, type Sender } from '../sender.js'
import { credentialOf, storable } from '../target.js'
import { sendBody, sendJson } from '../write.js'

/**
 * Incoming webhooks: requests of other tools, in their formats. A sender proves that it knows the secret of the webhook, and
 * the server posts for it as the agent that was made for that.
 */
export function incomingWebhooks(services: Services, sender: Sender, bodies: BodyReader): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const take: RequestHandler = async (request, response) => {
    request.operation = 'hooks'
    // A signature is one of the body. A secret is checked before, and again after that, when it may have been rotated.
    await known(request, null)
    const body = await bodies.readSigned(request, BODY_BYTES.text)
    const webhook = await known(request, body)
    const read = () => objectIn(jsonIn(request, body), webhook.format)
    const context = contextOf(services, sender, request, undefined)
    const { event_id } = await receive(context, { webhook, headers: request.headers, read })
    // Some tools take any other answer for a failure of Slack.
    if (webhook.format === 'slack') sendBody(response, 200, 'text/plain; charset=utf-8', 'ok')
    else sendJson(response, 200, JSON.stringify({ ok: true, event_id }))
  }
  router.route(['/hooks/:agent_id', '/hooks/:agent_id/:secret']).post(take).all(only('POST'))
  return router

  /** Returns the webhook of a sender that knows its secret. */
  async function known(request: Request, body: Buffer | null): Promise<IncomingWebhookRecord> {
    const { webhooks: secrets, gate, database } = services
    const agentId = storable(String(request.params.agent_id), 'Incoming webhook')
    const stranger = { fairKey: fairKeyOf(null), address: () => sender.address(request) }
    const find = () => database.incomingWebhooks.findAsSystem(agentId)
    const webhook = secrets && (await gate.run('row', stranger, find))
    if (!secrets || !webhook) throw unknown('Incoming webhook')
    const isKnown = isSigned(webhook.format)
      ? body === null || hasSigned(secrets, webhook, request.headers, body, databaseClock.now())
      : hasSecret(secrets, webhook, secretIn(request))
    if (!isKnown) throw refused(request)
    return webhook
  }

  /** Counts a failure by address, like that of any other credential. 429 beyond the limit. */
  function refused(request: Request): Error {
    const address = sender.address(request)
    if (address !== null) services.limits.failedCredentials?.take(address)
    return unauthenticated()
  }
}

/** The secret in the address, or as a bearer token. */
const secretIn = (request: Request): string | undefined =>
  typeof request.params.secret === 'string' ? request.params.secret : credentialOf(request.headers.authorization, '')

const FORM = /^application\/x-www-form-urlencoded\b/i

/** Older senders put the JSON into the field `payload` of a form. */
function jsonIn(request: Request, body: Buffer): Buffer {
  if (!FORM.test(request.headers['content-type'] ?? '') || body[0] === 0x7b) return body
  const payload = new URLSearchParams(body.toString()).get('payload')
  if (payload === null) throw invalid('payload', 'is required in a form')
  return Buffer.from(payload)
}

/** 400 for what no request may contain. Other tools cannot change their integers, so messages show the digits as sent. */
function objectIn(json: Buffer, format: IncomingFormat): JsonObject {
  const body = jsonObjectIn(format === 'json' ? exactJson(json) : exactJson(json, (integer) => `"${integer}"`))
  checkJson(body)
  return body
}
