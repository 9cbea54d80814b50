import type { Cli } from './cli.js'
import { openInBrowser } from './terminal/browser.js'

/** The flag of every command that shows what has a page. */
export const WEB = ['--web', 'Open it in a browser instead'] as const

/** The page of a space. */
export const pageOfSpace = (spaceId: string) => `/s/${encodeURIComponent(spaceId)}`

/** The page of a space with a thread beside its history, by its ID or that of the event that it is about. */
export const pageOfThread = (spaceId: string, eventId: string) =>
  `${pageOfSpace(spaceId)}?${new URLSearchParams({ thread: eventId })}`

/** Opens a page of the server. Its address has no token: in the browser, people sign in by themselves. */
export async function openPage(cli: Cli, path: string): Promise<void> {
  const { url } = await cli.account()
  const page = `${url}${path}`
  const { browser } = cli.settings
  if (browser !== null) await openInBrowser(browser, page)
  cli.out.result({ url: page }, ({ url }) => (browser === null ? url : `Opened ${url} in your browser.`))
}
