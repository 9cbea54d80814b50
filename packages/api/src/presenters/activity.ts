import type { SpeakerActivity } from '@collab-spaces/db'
import type { z } from 'zod'
import { Rendered } from '../procedure/output.js'
import type { Activity } from '../schemas/activity.js'

/** The events are already rendered; this only adds the JSON around them. */
export function presentActivity(
  spaceId: string,
  since: Date,
  speakers: readonly SpeakerActivity[],
): Rendered<z.infer<typeof Activity>> {
  const head = JSON.stringify({ space_id: spaceId, since: since.toISOString() }).slice(0, -1)
  return Rendered.json(`${head},"participants":[${speakers.map(speakerJson).join(',')}]}`)
}

function speakerJson(speaker: SpeakerActivity): string {
  const fields = JSON.stringify({
    participant_id: speaker.speakerId,
    name: speaker.name,
    participant_type: speaker.speakerType,
    event_count: speaker.eventCount,
    last_event_at: speaker.lastEventAt?.toISOString() ?? null,
  })
  return `${fields.slice(0, -1)},"events":[${speaker.events}]}`
}
