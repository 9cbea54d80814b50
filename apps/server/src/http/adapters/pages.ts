import type { Services } from '@collab-spaces/api'
import { stopping } from '@collab-spaces/domain'
import { documentation } from '../docs.js'
import { MethodNotAllowed } from '../errors.js'
import type { Exchange } from '../exchange.js'

/** Something to read at a fixed path, the same for everybody. */
export interface Page {
  readonly contentType: string
  readonly body: string | Buffer
}

export type Pages = Readonly<Record<string, () => Page | Promise<Page>>>

export interface PageOptions {
  readonly services: Services
  readonly publicUrl: () => string
  readonly isStopping: () => boolean
}

/** Answers what is not the API. Null when no page has the path. */
export function pageDoor({
  services,
  publicUrl,
  isStopping,
}: PageOptions): (exchange: Exchange) => Promise<void> | null {
  const pages = new Map(Object.entries({ ...health(services, isStopping), ...documentation(publicUrl) }))
  return (exchange) => {
    const page = pages.get(exchange.path)
    return page ? show(exchange, page) : null
  }
}

async function show(exchange: Exchange, page: () => Page | Promise<Page>): Promise<void> {
  if (exchange.method !== 'GET') throw new MethodNotAllowed('GET, HEAD')
  const { contentType, body } = await page()
  exchange.send(200, contentType, body)
}

const json = (value: object): Page => ({
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

const health = ({ database }: Services, isStopping: () => boolean): Pages => ({
  '/health': () => json({ status: 'ok' }),
  '/ready': async () => {
    if (isStopping()) throw stopping()
    await database.ping()
    return json({ status: 'ready' })
  },
})
