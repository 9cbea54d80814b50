import { readFileSync } from 'node:fs'
import type { Program } from './program.js'

/** False where the system does not tell what a process has needed. */
export const CAN_MEASURE_MEMORY = process.platform === 'linux'

/** The most memory that a program has had until now, in MiB: one look is enough, however short it lasted. */
export function peakMemory({ pid }: Program): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024
}
