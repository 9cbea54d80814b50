import type { SearchForms, TenantId } from '@collab-spaces/domain'
import { isInService } from '../access/in-service.js'
import { isTooLarge } from '../connection/fault.js'
import type { StoreContext } from '../connection/store-context.js'

/** How many files one step of the indexing takes. */
const STEP_SIZE = 100

/** The key of a file. */
export interface FileKey {
  readonly tenantId: TenantId
  readonly spaceId: string
  readonly fileId: string
}

/** A file of an event that no search finds yet. */
export interface UnindexedFile extends FileKey {
  readonly name: string
  readonly contentId: string
  readonly size: number
  /** The type of an image by its first bytes. */
  readonly imageType: string | null
}

/** The texts of files, for the search. They are indexed after the append, which they would delay. */
export const fileTexts = ({ long }: Pick<StoreContext, 'long'>) => ({
  /** Returns some files that are not indexed, after a given one in order; none at the end. */
  async unindexed(after: FileKey | null): Promise<UnindexedFile[]> {
    const { rows } = await long.query<UnindexedFile>(
      `SELECT f.tenant_id AS "tenantId", f.space_id AS "spaceId", f.file_id AS "fileId", f.name,
         f.content_id AS "contentId", c.size::float8 AS size, c.image_type AS "imageType"
       FROM files f JOIN file_contents c USING (tenant_id, content_id)
       WHERE f.event_id IS NOT NULL AND f.content_id IS NOT NULL AND f.position IS NULL
         AND ${isInService('f.tenant_id')}
         AND ($1::uuid IS NULL OR (f.tenant_id, f.space_id, f.file_id) > ($1::uuid, $2::text, $3::text))
       ORDER BY f.tenant_id, f.space_id, f.file_id LIMIT ${STEP_SIZE}`,
      [after?.tenantId ?? null, after?.spaceId ?? null, after?.fileId ?? null],
    )
    return rows
  },

  /** Makes a file found by its terms, of which it may have too many: then by the first ones. */
  async index({ tenantId, spaceId, fileId }: FileKey, passages: readonly string[], forms: SearchForms): Promise<void> {
    for (let { words } = forms; ; words = words.slice(0, words.length / 2)) {
      try {
        await long.query(
          `UPDATE files f SET position = e.position, passages = $4, terms = to_tsvector('spaces', $5) ||
             CASE WHEN $6::text[] IS NULL THEN ''::tsvector ELSE array_to_tsvector($6::text[]) END
           FROM events e
           WHERE f.tenant_id = $1 AND f.space_id = $2 AND f.file_id = $3 AND f.content_id IS NOT NULL
             AND e.tenant_id = f.tenant_id AND e.space_id = f.space_id AND e.event_id = f.event_id`,
          [tenantId, spaceId, fileId, passages, words.toWellFormed(), forms.pieces],
        )
        return
      } catch (error) {
        if (words === '' || !isTooLarge(error)) throw error
      }
    }
  },
})
