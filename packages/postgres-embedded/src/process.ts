import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Whether there is a process with this number, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The command line of a process, or else its stat line; empty when neither is known. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    // A zombie has no command line any more.
    return command.replaceAll('\0', ' ') || (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  }
  const ps = promisify(execFile)('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return (await ps.catch(() => ({ stdout: '' }))).stdout
}
