import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Returns whether a process with this number exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Returns the child processes of a process, including zombies. */
export async function childrenOf(parent: number): Promise<number[]> {
  const processes = process.platform === 'linux' ? await fromProc() : await fromPs()
  return processes.filter(([, ppid]) => ppid === parent).map(([pid]) => pid)
}

/** The ids of a process and its parent. */
type ProcessRelation = [pid: number, ppid: number]

async function fromProc(): Promise<ProcessRelation[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  // The name of a program is in parentheses, and may have some itself. Its state follows, then its parent.
  const stats = await Promise.all(names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')))
  return stats.map((stat, index) => [Number(names[index]), Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])])
}

async function fromPs(): Promise<ProcessRelation[]> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-A', '-o', 'pid=,ppid='])
  return stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number) as ProcessRelation)
}

/** Returns the command line of a process, or else its stat line; empty if neither is known. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    // A zombie has no command line any more.
    return command.replaceAll('\0', ' ') || (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  }
  const ps = promisify(execFile)('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return (await ps.catch(() => ({ stdout: '' }))).stdout
}
