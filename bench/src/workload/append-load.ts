import type { Service } from '../service/service.js'
import { type DatabaseLoad, pgbench } from '../tools/pgbench.js'
import type { Throughput } from '../tools/throughput.js'

/**
 * Appends by pgbench. Afterwards its events are merged into the search index, as a server does concurrently: otherwise
 * the next side would have to merge them.
 */
export async function appendLoad(
  service: Service,
  load: Omit<DatabaseLoad, 'connection' | 'directory'>,
): Promise<Throughput> {
  const { connection, directory } = service
  const throughput = await pgbench({ connection, directory, ...load })
  await service.query('SELECT tend_tables()')
  return throughput
}
