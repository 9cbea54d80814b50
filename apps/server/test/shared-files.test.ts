import { ServerResponse } from 'node:http'
import { expect, it, onTestFinished, vi } from 'vitest'
import { useServer } from './support/server.js'

/** Stalled readers must not each hold a copy of a shared file. */

const h = useServer()

it.each(['/openapi.json', '/openapi-3.0.json', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'])(
  '%s is sent to all its readers from one buffer',
  async (path) => {
    const write = vi.spyOn(ServerResponse.prototype, 'write')
    onTestFinished(() => write.mockRestore())
    const answers = [await h.get(path), await h.get(path)]
    const written = write.mock.calls.map(([piece]) => piece as Uint8Array)
    expect(written.reduce((sum, { length }) => sum + length, 0)).toBe(2 * Buffer.byteLength(answers[0]?.text ?? ''))
    expect(new Set(written.map(({ buffer }) => buffer)).size).toBe(1)
    expect(answers[1]?.text).toBe(answers[0]?.text)
  },
)
