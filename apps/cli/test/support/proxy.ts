import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request passes, it is lost on the way there, or its answer is lost on the way back. */
export type Fate = 'pass' | 'lose' | 'lose_answer'

/** A server for one test that passes everything on to another one, but for what it loses. */
export async function lossyProxy(to: string, fateOf: (path: string) => Fate): Promise<string> {
  const proxy = createServer((asked, answer) => {
    const fate = fateOf(asked.url ?? '')
    if (fate === 'lose') return asked.destroy()
    const passed = request(new URL(asked.url ?? '/', to), { method: asked.method, headers: asked.headers })
    passed.on('error', () => answer.destroy())
    passed.on('response', (response) => {
      if (fate === 'lose_answer') return response.resume().on('end', () => answer.destroy())
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
