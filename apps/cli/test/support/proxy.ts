import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request passes, it is lost on its way, or its answer is lost. */
export type Fate = 'pass' | 'lose' | 'lose_answer'

/** Starts a proxy for one test that forwards all requests but those it loses. Returns its address. */
export async function lossyProxy(to: string, fateOf: (path: string) => Fate): Promise<string> {
  const proxy = createServer((incoming, answer) => {
    const fate = fateOf(incoming.url ?? '')
    if (fate === 'lose') return incoming.destroy()
    const passed = request(new URL(incoming.url ?? '/', to), { method: incoming.method, headers: incoming.headers })
    passed.on('error', () => answer.destroy())
    passed.on('response', (response) => {
      if (fate === 'lose_answer') return response.resume().on('end', () => answer.destroy())
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    answer.on('close', () => passed.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

/** Starts an HTTP proxy for one test, whose tunnels (CONNECT) all lead to one server. */
export async function tunnelTo(server: string): Promise<{ readonly url: string; readonly tunnels: string[] }> {
  const tunnels: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer((_, answer) => answer.writeHead(405).end()).on(
    'connect',
    ({ url = '' }, socket: Socket) => {
      tunnels.push(url)
      const there = connect(Number(new URL(server).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.pipe(there).pipe(socket)
      })
      for (const end of [socket, there]) sockets.add(end.on('error', () => end.destroy()))
    },
  )
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, tunnels }
}
