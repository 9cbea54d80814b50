import type { Actor, Client as RestClient } from '@collab-spaces/testing'
import { brisk } from './clients.js'

/** Creates a human with a space, and a client. */
export async function adasSpace(h: RestClient) {
  const { ada, space_id } = await h.adasSpace()
  const client = brisk(h.url, ada)
  const say = (text: string) => client.event.speech.mutate({ space_id, text })
  return { ada, space_id, client, say }
}

/** Returns the texts of the whole history, as REST lists it. */
export async function textsOf(h: RestClient, actor: Actor, spaceId: string): Promise<string[]> {
  const events: { text: string }[] = await h.as(actor).get(`/api/spaces/${spaceId}/transcript`).expect(200)
  return events.map(({ text }) => text)
}
