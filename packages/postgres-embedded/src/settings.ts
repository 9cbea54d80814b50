import { totalmem } from 'node:os'
import { PORT } from './socket-directory.js'

const MB = 1024 * 1024

/** Returns a quarter of the memory this process may use, between 128 MB and 2 GB. */
export function sharedBuffers(total = totalmem(), constrained = process.constrainedMemory()): string {
  const memory = Math.min(total, constrained || total)
  return `${Math.floor(Math.min(Math.max(memory / 4, 128 * MB), 2048 * MB) / MB)}MB`
}

/** Connections for listening, the lock on the data, operators, and PostgreSQL itself. */
const OTHER_CONNECTIONS = 20
const MIN_CONNECTIONS = 100

/** Returns the settings for the command line, which override every file. */
export function settings(socketDirectory: string, connections: number): Record<string, string> {
  return {
    // Reachable only through the socket.
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    port: String(PORT),
    max_connections: String(Math.max(MIN_CONNECTIONS, connections + OTHER_CONNECTIONS)),

    // Acknowledged commits are on disk.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    shared_buffers: sharedBuffers(),
    max_wal_size: '4GB',
    // Filling the next segment of the log with zeros delays every commit by a twentieth of a second. A new server under
    // load would do so every second; later segments are recycled.
    wal_init_zero: 'off',
    random_page_cost: '1.1',
    jit: 'off',
    max_logical_replication_workers: '0',
    timezone: 'UTC',

    // The log is about the server. Statement errors go only to the client: they quote values, and a value may be a
    // credential.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_min_duration_statement: '-1',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_checkpoints: 'off',
  }
}
