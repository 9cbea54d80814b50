import { type ChannelLink, fairKeyOf, type Services } from '@collab-spaces/api'
import { databaseClock } from '@collab-spaces/db'
import type { Initiator, TenantId } from '@collab-spaces/domain'
import { DomainError, diskFull } from '@collab-spaces/domain'
import { type Request, type RequestHandler, Router } from 'express'
import { only } from '../errors.js'
import type { Sender } from '../sender.js'
import { sendBody } from '../write.js'

/**
 * Serves the links in e-mail. Mail scanners follow links, so a GET only asks for confirmation and a POST acts, which mail
 * programs may send by RFC 8058. The holder of a link needs no credential, and takes turns with unauthenticated callers.
 */
export function notificationLinks(services: Services, sender: Sender): Router {
  const router = Router({ caseSensitive: true, strict: true })
  const { notifications } = services.database
  route('verify', 'Confirm notifications at this address', async ({ tenant_id, channel_id }, address) => {
    if (services.isDiskLow()) throw diskFull()
    if (!(await notifications.verify(tenant_id as TenantId, channel_id, address, databaseClock.now()))) throw over()
    return 'Confirmed. You will receive notifications by e-mail while you are away.'
  })
  route('unsubscribe', 'Unsubscribe from these e-mails', async ({ tenant_id, channel_id }, address) => {
    await notifications.unsubscribe(tenant_id as TenantId, channel_id, address)
    return 'You are unsubscribed.'
  })
  return router

  function route(
    purpose: 'verify' | 'unsubscribe',
    question: string,
    act: (link: ChannelLink, address: Initiator['address']) => Promise<string>,
  ) {
    const opened = (request: Request): ChannelLink => {
      request.operation = 'notifications'
      const sealed = String(request.params.sealed)
      const link = services.signIn.hasKey
        ? services.signIn.seals.open<ChannelLink>(`notifications ${purpose}`, sealed, databaseClock.now())
        : null
      if (!link) throw over()
      return link.value
    }
    const ask: RequestHandler = (request, response) => {
      opened(request)
      sendBody(response, 200, HTML, page(`<form method="post"><button>${question}</button></form>`))
    }
    const take: RequestHandler = async (request, response) => {
      const [link, address] = [opened(request), () => sender.address(request)]
      const message = await services.gate.run('change', { fairKey: fairKeyOf(null), address }, () => act(link, address))
      sendBody(response, 200, HTML, page(`<p>${message}</p>`))
    }
    router.route(`/notifications/${purpose}/:sealed`).get(ask).post(take).all(only('GET, HEAD, POST'))
  }
}

const over = () => new DomainError('unknown', 'This link has expired: request another one in your settings')

const HTML = 'text/html; charset=utf-8'

const page = (content: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>Collaboration Spaces</title><main><h1>Collaboration Spaces</h1>${content}</main></html>\n`
