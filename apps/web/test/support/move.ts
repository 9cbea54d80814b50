import type { Actor } from '@collab-spaces/testing'
import type { BrowserContext } from 'playwright-core'

/** The address to which a tenant has moved. */
export const LOCATION = 'https://b.example.org'

/**
 * From the first request to a matching path on, requests with the actor's key get the response of an installation that
 * its tenant has left.
 */
export function leave(context: BrowserContext, { api_key }: Actor, first = /./): Promise<unknown> {
  let hasLeft = false
  return context.route(/\/(api|trpc)\//, async (route) => {
    hasLeft ||= first.test(route.request().url())
    const isTheirs = (await route.request().allHeaders()).authorization === `Bearer ${api_key}`
    if (!hasLeft || !isTheirs) return route.fallback()
    const told = { detail: 'This tenant has moved', error: 'moved', location: LOCATION }
    const { pathname } = new URL(route.request().url())
    const calls = pathname.replace('/trpc/', '').split(',')
    const error = { message: told.detail, code: -32_600, data: { code: 'x', httpStatus: 421, ...told } }
    const body = pathname.startsWith('/trpc/') ? calls.map(() => ({ error })) : told
    return route.fulfill({ status: 421, contentType: 'application/json', body: JSON.stringify(body) })
  })
}
