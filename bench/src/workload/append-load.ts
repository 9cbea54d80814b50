import type { Service } from '../service/service.js'
import { type DatabaseLoad, pgbench } from '../tools/pgbench.js'
import type { Throughput } from '../tools/throughput.js'

/**
 * Appends by pgbench. Its events are put into the search index afterwards, as a server does beside its writes: left
 * behind, that would have to be done by the side whose turn is next.
 */
export async function appendLoad(
  service: Service,
  load: Omit<DatabaseLoad, 'connection' | 'directory'>,
): Promise<Throughput> {
  const { connection, directory } = service
  const throughput = await pgbench({ connection, directory, ...load })
  await service.query('SELECT merge_search_index()')
  return throughput
}
