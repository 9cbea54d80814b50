import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Is there a process of this number, ours or not? */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The command line of a process, or what else is known of it; empty when nothing is. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    // One that is dead and not yet buried has no command line any more.
    return command.replaceAll('\0', ' ') || (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  }
  const ps = promisify(execFile)('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return (await ps.catch(() => ({ stdout: '' }))).stdout
}
