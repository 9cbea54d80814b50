import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { cutText, LIMITS, type RouterOutputs } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { failed } from '../failure.js'
import { openInBrowser } from '../terminal/browser.js'

type SignedIn = RouterOutputs['signIn']['redeem']

/** Timeout of the authorization in the browser. */
const WAIT_MS = 600_000

/**
 * Opens the page of a server, on which a human authorizes this command, and receives the code from the browser. Only this
 * machine gets to know it, and it is worth nothing without the verifier.
 */
export async function signInWithBrowser(cli: Cli, url: string): Promise<SignedIn> {
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const listener = createServer().listen(0, '127.0.0.1')
  try {
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const query = new URLSearchParams({ port: String(port), state, challenge, name: machineName() })
    open(cli, `${url}/command#${query}`)
    const code = await codeFrom(listener, state)
    return await cli.clientFor({ url }).signIn.redeem.mutate({ code, verifier })
  } finally {
    listener.closeAllConnections()
    listener.close()
  }
}

/** How people tell the session or token of this machine from others. */
export const machineName = () => cutText(hostname(), LIMITS.tokenName) || 'unnamed machine'

function open(cli: Cli, page: string): void {
  cli.out.note('Let this command in on the page that opens in your browser. If none opens, go to:')
  cli.out.note(page)
  // The person may be done before it is known whether the browser has started.
  openInBrowser(cli.settings.browser, page).catch(() => {
    cli.out.note('No browser could be started. On another machine: spaces login --device')
  })
}

/** The code of the first request that knows the state. All others come from other programs. */
function codeFrom(listener: Server, state: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failed('This command was not authorized within ten minutes')), WAIT_MS)
    listener.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const returned = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams
      const code = returned.get('code')
      const isOurs = code !== null && returned.get('state') === state
      response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
      response.end(isOurs ? 'You are signed in. You can close this page.\n' : 'Nothing is here.\n')
      if (!isOurs) return
      clearTimeout(timer)
      response.once('close', () => resolve(code))
    })
  })
}
