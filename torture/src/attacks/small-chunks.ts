import { open, rawRequest } from '../service/raw.js'
import type { Attack } from './attack.js'
import { crowd } from './crowd.js'

const CHUNKS = '1\r\nx\r\n'.repeat(10_000)

export const smallChunks: Attack = {
  name: 'bodies in chunks of one byte',
  begin: ({ url, mallory, long }) =>
    crowd(50, (n) => {
      const sent = {
        method: 'POST',
        path: `/api/spaces/${long}/events/batch`,
        headers: { 'Transfer-Encoding': 'chunked' },
      }
      const socket = open(url, rawRequest(n % 2 === 0 ? { ...sent, key: mallory.key } : sent))
      const writeOn = () => {
        while (socket.write(CHUNKS));
      }
      socket.on('drain', writeOn)
      writeOn()
      return socket
    }),
}
