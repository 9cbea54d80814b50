import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** Linux counts the time of processes in ticks of this length; everywhere else, there is no such count to read. */
const TICKS_PER_SECOND =
  process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0

/** Milliseconds of processor time that a process has taken so far; of one that is gone, 0. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return 0
  // The name of the program stands in parentheses, and may hold anything. The children that have ended count too.
  const [user, system, ofChildren, systemOfChildren] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
  return ((Number(user) + Number(system) + Number(ofChildren) + Number(systemOfChildren)) / TICKS_PER_SECOND) * 1_000
}

/** The same of a process and those that it has started, of which PostgreSQL has one for each connection. */
export async function processorTimeOfFamily(pid: number): Promise<number> {
  const times = [processorTime(pid), ...(await childrenOf(pid)).map(processorTime)]
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0)
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.join(' ').split(' ').filter(Boolean).map(Number)
}
