import { presentEventFile } from '../presenters/file.js'
import type { Caller } from '../procedure/credential.js'
import { requireSpace } from '../require-space.js'
import type { Services } from '../services.js'
import type { SentEvent } from './append.js'

/** Adds to events of one space the files that they name. 404 for one that the caller has not uploaded there. */
export async function eachWithFiles<T extends SentEvent>(
  services: Services,
  caller: Caller,
  batch: readonly T[],
): Promise<readonly T[]> {
  const [first] = batch
  const ids = batch.flatMap(({ fileIds }) => fileIds)
  if (!first || ids.length === 0) return batch
  await requireSpace(services, caller, first.event.space_id)
  const records = await services.database.files.own(caller, first.event.space_id, ids)
  const files = new Map(records.map((record) => [record.fileId, presentEventFile(record)]))
  return batch.map((sent) => {
    if (sent.fileIds.length === 0) return sent
    return { ...sent, event: { ...sent.event, files: sent.fileIds.flatMap((id) => files.get(id) ?? []) } }
  })
}
