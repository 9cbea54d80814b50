import { readFileSync } from 'node:fs'
import type { Program } from './program.js'

/** Whether the system reports the memory of a process. */
export const CAN_MEASURE_MEMORY = process.platform === 'linux'

/** Returns the peak memory of a program in MiB: one call is enough, however short the peak was. */
export function peakMemory({ pid }: Program): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024
}
