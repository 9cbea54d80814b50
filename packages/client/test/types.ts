// Compiled by `pnpm types`, never run: each line that must not compile expects its error.
import {
  type Client,
  createClient,
  type Event,
  type RouterInputs,
  type Space,
  type SpaceCreateInput,
  SpaceStream,
  type SpacesError,
} from '@collab-spaces/client'

declare const client: Client
declare const error: SpacesError

export async function inputs() {
  await client.space.create.mutate({ space_id: 'plans' })
  // @ts-expect-error a required field is missing
  await client.space.create.mutate({ description: 'Where to go' })
  // @ts-expect-error there is no such field
  await client.space.create.mutate({ space_id: 'plans', color: 'red' })
  // @ts-expect-error it is a string
  await client.event.speech.mutate({ space_id: 'plans', text: 7 })
  // @ts-expect-error there is no such status
  await client.space.list.query({ status: 'asleep' })
  await client.space.list.query()
  await client.event.list.query({ space_id: 'plans', limit: 10, tail: true })
  // @ts-expect-error it is a number
  await client.event.list.query({ space_id: 'plans', limit: '10' })
  // @ts-expect-error it is a boolean
  await client.event.list.query({ space_id: 'plans', tail: 'true' })
  const plans: SpaceCreateInput = { space_id: 'plans' }
  await client.space.create.mutate(plans)
  // @ts-expect-error it takes an input
  await client.space.status.query()
  // @ts-expect-error reading is not writing
  await client.space.create.query({ space_id: 'plans' })
  // @ts-expect-error there is no such verb
  await client.space.destroy.mutate({ space_id: 'plans' })
  // @ts-expect-error there is no such noun
  await client.planet.list.query({})
  const settle: RouterInputs['decision']['resolve'] = {
    space_id: 'plans',
    decision_id: 'd',
    resolved_by: 'a',
    resolution: 'Yes',
    // @ts-expect-error a decision is settled one way or the other
    status: 'proposed',
  }
  return settle
}

export async function answers() {
  const { event_id } = await client.event.speech.mutate({ space_id: 'plans', text: 'Hello' })
  const text: string = event_id
  const spaces = await client.space.list.query()
  // @ts-expect-error an answer has no such field
  const color = spaces[0]?.color
  const decision = await client.decision.get.query({ space_id: 'plans', decision_id: 'd' })
  // @ts-expect-error it may be null
  const resolution: string = decision.resolution
  return { text, color, resolution }
}

export async function overRest() {
  const spaces: Space[] = await client.rest('space.list', {})
  await client.rest('actor.me', {})
  // @ts-expect-error there is no such status
  await client.rest('space.list', { status: 'asleep' })
  // @ts-expect-error the space has to be named
  await client.rest('event.list', {})
  // @ts-expect-error writing is not reading
  await client.rest('space.create', { space_id: 'plans' })
  const size: number = await client.rest('event.transcript', { space_id: 'plans' }, { read: async () => 7 })
  return { spaces, size }
}

export async function streams() {
  const stream = client.stream('plans', { since: 'e', signal: AbortSignal.abort() })
  for await (const event of stream) {
    const known: Event = event
    // @ts-expect-error an event has no such field
    known.title
  }
  const end: 'aborted' | 'credential' | null = stream.endedBy
  // @ts-expect-error the space has to be named
  client.stream()
  // @ts-expect-error a cursor is an id
  client.stream('plans', { since: 7 })
  // @ts-expect-error the cursor moves by itself
  stream.cursor = 'e'
  return end
}

export function errors() {
  const status: number | null = error.status
  // @ts-expect-error what else an error has is not known
  const agentId: string = error.fields.agent_id
  return { status, agentId }
}

// @ts-expect-error the address is needed
createClient({ token: 'svc_x' })
// @ts-expect-error streams are made by a client
new SpaceStream()
