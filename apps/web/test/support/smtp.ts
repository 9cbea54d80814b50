import { MailServer } from '@collab-spaces/testing'
import { afterAll, beforeAll } from 'vitest'

/** Receives email. Returns the settings of a server that starts afterwards. */
export function useMail() {
  const server = new MailServer()
  const settings: Record<string, string> = {}
  beforeAll(async () => {
    await server.open()
    Object.assign(settings, server.settings)
  })
  afterAll(() => server.close())
  return { server, settings }
}
