import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the process of the PostgreSQL that a server runs on its data. */
export async function postmasterOf(dataDir: string): Promise<number | undefined> {
  const note = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(note, 10)
  return pid > 0 && isAlive(pid) ? pid : undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
