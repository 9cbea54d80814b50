import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a stub of the server for one test. Returns its address and the requests it has received. */
export async function stubServer(answer: RequestListener): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = []
  const http = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => {
    http.close()
    http.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, requests }
}
