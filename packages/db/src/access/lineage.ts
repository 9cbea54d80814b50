import { API_KEY_ID, type Lineage, lineageFrom } from '@collab-spaces/domain'
import type { Transaction } from '../connection/store-context.js'
import type { Bearer } from '../credential/credential.js'

/**
 * The lineage to store for something made with a credential. Call after the credential was checked in the same transaction,
 * because its key may be replaced. An agent's key descends from the credential that issued it and the one that created
 * the agent.
 */
export async function lineageOf(tx: Transaction, bearer: Bearer): Promise<string[]> {
  const { actorId, credentialId } = bearer
  const [row] =
    credentialId === API_KEY_ID
      ? await tx.$queryRaw<{ ancestors: Lineage | null }[]>`
          SELECT array_cat(k.created_with, a.created_with) AS ancestors
          FROM api_keys k JOIN actors a USING (actor_id) WHERE k.actor_id = ${actorId}`
      : await tx.$queryRaw<{ ancestors: Lineage | null }[]>`
          SELECT created_with AS ancestors FROM personal_access_tokens WHERE pat_id = ${credentialId}`
  return [...lineageFrom(bearer, row?.ancestors ?? [])]
}
