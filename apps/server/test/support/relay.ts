import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bearer } from '@collab-spaces/testing'
import { onTestFinished } from 'vitest'

/** Starts a relay that adds a credential, for programs that cannot send one, and returns its address. */
export async function relayWith(url: () => string, key: string): Promise<string> {
  const relay: Server = createServer((request, response) => {
    const headers = { ...request.headers, ...bearer(key) }
    const passed = forward(new URL(request.url ?? '/', url()), { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    relay.close()
    relay.closeAllConnections()
  })
  return `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
}
