import { PIECE_BYTES, pulling, type SpeakerActivity } from '@collab-spaces/db'
import { type ByteString, byteStringOf } from '@collab-spaces/db/byte-string'
import { unknown } from '@collab-spaces/domain'
import type { z } from 'zod'
import { RenderedOutput } from '../procedure/output.js'
import type { Activity } from '../schemas/activity.js'

/** Reads events by their positions, in the given order. */
type ReadEvents = (positions: readonly number[]) => Promise<ByteString[]>

/** Adds the JSON around stored events, which it reads piece by piece. */
export function presentActivity(
  spaceId: string,
  since: Date,
  speakers: readonly SpeakerActivity[],
  buckets: number | undefined,
  read: ReadEvents,
): RenderedOutput<z.infer<typeof Activity>> {
  const head = JSON.stringify({ space_id: spaceId, since: since.toISOString() }).slice(0, -1)
  const parts = partsOf(head, speakers, buckets)
  return RenderedOutput.stream(
    pulling(async () => {
      const piece = nextPiece(parts)
      if (piece.length === 0) return null
      const positions = piece.flatMap(({ position }) => (position === null ? [] : [position]))
      const wires = positions.length === 0 ? [] : await read(positions)
      // The space was deleted while the digest was read.
      if (wires.length < positions.length) throw unknown('Space')
      return piece.map(({ before }, index) => byteStringOf(before) + (wires[index] ?? '')).join('') as ByteString
    }),
  )
}

/** An event with the text before it. Only the last part has none. */
interface Part {
  readonly before: string
  readonly position: number | null
  readonly size: number
}

function* partsOf(head: string, speakers: readonly SpeakerActivity[], buckets: number | undefined): Generator<Part> {
  let before = `${head},"participants":[`
  let separator = ''
  for (const speaker of speakers) {
    before += `${separator}${fieldsOf(speaker, buckets)},"events":[`
    separator = ','
    for (const [index, position] of speaker.positions.entries()) {
      if (index > 0) before += ','
      yield { before, position, size: before.length + (speaker.sizes[index] as number) }
      before = ''
    }
    before += ']}'
  }
  yield { before: `${before}]}`, position: null, size: before.length }
}

function fieldsOf(speaker: SpeakerActivity, buckets: number | undefined): string {
  return JSON.stringify({
    participant_id: speaker.speakerId,
    name: speaker.name,
    participant_type: speaker.speakerType,
    is_claimed: speaker.isClaimed,
    event_count: speaker.eventCount,
    last_event_at: speaker.lastEventAt?.toISOString() ?? null,
    buckets: buckets && Array.from({ length: buckets }, (_, at) => speaker.counts?.[at] ?? 0),
  }).slice(0, -1)
}

/** Returns the parts of the next read, up to its size. */
function nextPiece(parts: Generator<Part>): Part[] {
  const piece: Part[] = []
  let size = 0
  while (size < PIECE_BYTES) {
    const { value, done } = parts.next()
    if (done) break
    piece.push(value)
    size += value.size
  }
  return piece
}
