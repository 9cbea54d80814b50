import { onTestFinished } from 'vitest'
import { PATIENT } from './patience.js'
import { Program } from './program.js'

/** Starts the built server for one test, and ends it afterwards. */
export function startProgram(environment: Readonly<Record<string, string>>, words?: readonly string[]): Program {
  const program = new Program({ ...PATIENT, ...environment }, words)
  onTestFinished(async () => {
    await program.kill('SIGKILL')
  })
  return program
}
